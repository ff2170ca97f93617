// GET /api/<resource>/<id>: the text from the store, with requested extras spliced in. A record is never parsed.

import { chain } from '../maybe-promise.js';
import type { Store } from '../store/store.js';
import { authorize, refusal } from './authorize.js';
import type { Run } from './call.js';
import { included, wantedOf } from './include.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** Answers 200 with the record as the caller sees it; throws not_found, forbidden or login_required. */
export function fetchOperation(store: Store, planOf: PlanOf): Run {
  return (call) => {
    const { definition, id, caller, parameters } = call;
    authorize(definition, 'fetch', caller);
    const ignored = unknownNames(parameters);
    return chain(store.get(definition, id, caller), (found) => {
      if (!found.found) throw refusal(definition, found.code);
      const plan = planOf(definition);
      const wanted = wantedOf(parameters, plan);
      if (wanted === null) return { status: 200, body: found.text, ignored };
      return included(store, { call, plan, wanted }).then((members) => ({
        status: 200,
        body: spliced(found.text, members),
        ignored,
      }));
    });
  };
}

/** `text`, a JSON object, with further members (`"name":value`) at its end. */
function spliced(text: string, members: readonly string[]): string {
  if (members.length === 0) return text;
  const open = text.slice(0, text.lastIndexOf('}'));
  return `${open}${/^\s*\{\s*$/.test(open) ? '' : ','}${members.join(',')}}`;
}
