// GET /api/<resource>/<id>: the text from the store, with requested extras spliced in. A record is never parsed.

import { refusal } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize, mayShow } from './authorize.js';
import type { Run } from './call.js';
import { membersOf, wantOf } from './include.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** Responds 200 with the record as the caller sees it; throws not_found, forbidden or login_required. */
export function fetchOperation(store: Records, planOf: PlanOf): Run {
  return (call) => {
    const { definition, id, caller, parameters } = call;
    authorize(definition, 'fetch', caller);
    const ignored = unknownNames(parameters);
    const plan = planOf(definition);
    const want = wantOf(parameters, plan, (to) => mayShow(caller, to));
    return chain(store.get(definition.name, id, caller, want ?? undefined), (found) => {
      if (!found.found) throw refusal(definition, found.code);
      const body = want === null ? found.text : spliced(found.text, membersOf(found, want, { call, plan }));
      return { status: 200, body, ignored };
    });
  };
}

/** `text`, a JSON object, with additional members (`"name":value`) at its end. */
function spliced(text: string, members: readonly string[]): string {
  if (members.length === 0) return text;
  const open = text.slice(0, text.lastIndexOf('}'));
  return `${open}${/^\s*\{\s*$/.test(open) ? '' : ','}${members.join(',')}}`;
}
