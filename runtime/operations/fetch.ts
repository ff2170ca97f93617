// GET /api/<resource>/<id>: the text from the store, with requested extras spliced in. A record is never parsed.

import { refusal, ServiceError } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize, mayShow, requireShown } from './authorize.js';
import type { Run } from './call.js';
import { isRequested, membersOf, requestedRelations } from './include.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** The parameter that adds the allowed values of the record's fields, in profiles with extras (D07). */
const OPTIONS = '_include_options';
const EXTRAS = [OPTIONS];

/** Responds 200 with the record as the caller sees it; throws not_found, forbidden or login_required. */
export function fetchOperation(store: Pick<Records, 'get'>, planOf: PlanOf, extras = false): Run {
  return (call) => {
    const { definition, id, caller, parameters } = call;
    authorize(definition, 'fetch', caller);
    const ignored = unknownNames(parameters, extras ? EXTRAS : undefined);
    const plan = planOf(definition);
    const want = requestedRelations(parameters, plan, (to) => mayShow(caller, to));
    return chain(store.get(definition.name, id, caller, want ?? undefined), (lookup) => {
      if (!lookup.found) throw refusal(definition, lookup.code);
      const members = want === null ? [] : membersOf(lookup, want, { call, plan });
      const options = extras && isRequested(parameters[OPTIONS]) ? [`"_options":${plan.options}`] : [];
      const body = spliced(lookup.text, [...members, ...options]);
      return { status: 200, body, version: lookup.version, ignored };
    });
  };
}

/** GET /api/<resource>/<id>/<relation>: the record that the relation names, as the caller sees it. */
export function relatedOperation(store: Records, planOf: PlanOf): Run {
  return ({ definition, id, name, caller, parameters }) => {
    authorize(definition, 'fetch', caller);
    for (const { to } of planOf(definition).relations.filter((one) => one.name === name)) requireShown(caller, to);
    return chain(store.get(definition.name, id, caller, { objects: [name], links: false }), (lookup) => {
      if (!lookup.found) throw refusal(definition, lookup.code);
      const [related] = lookup.objects;
      if (related === undefined) throw new ServiceError('not_found', `This ${definition.title} has no ${name}.`);
      return { status: 200, body: related.text, ignored: unknownNames(parameters) };
    });
  };
}

/** `text`, a JSON object, with additional members (`"name":value`) at its end. */
function spliced(text: string, members: readonly string[]): string {
  if (members.length === 0) return text;
  const open = text.slice(0, text.lastIndexOf('}'));
  return `${open}${/^\s*\{\s*$/.test(open) ? '' : ','}${members.join(',')}}`;
}
