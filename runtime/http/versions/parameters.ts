// Translates what a caller of a version sends to today's names (D68), and adds what a create did not require in that version.

import type { AnyDefinition } from '../../contract/definition.js';
import { isMap } from '../../contract/is-map.js';
import { filterNames } from '../../contract/ranges.js';
import type { EarlierField, FillRule } from '../../contract/versions.js';
import type { Parameters } from '../../operations/call.js';
import { agreed, coerce, Spellings, sameCoerced } from '../../operations/validate.js';
import { orderTerm, renamedTerm } from '../../schema/order.js';
import { emptyParameters, type RawParameters } from '../raw-parameters.js';
import type { Route } from '../routes.js';
import { formToday } from './forms.js';
import { own, type ResourceMapping, type VersionNames } from './names.js';

/** Marks a name or choice that has a meaning today but had none in the version. No name that a caller sends begins with it. */
export const UNKNOWN = '\u0001';

/** @param same today's name. @returns the name that operations know */
function nameToday(name: string, same: string | undefined, isName: boolean): string {
  return same ?? (isName ? UNKNOWN + name : name);
}

/** The parameters of a request as the operation of its route knows them. */
export function parametersToday(names: VersionNames, route: Route, parameters: Parameters): Parameters {
  const { resource, of, verb = '', name = '' } = route;
  const mapping = names.mapping(of?.name ?? '');
  if (verb === 'bulk') {
    const list = names.member(resource, name) ?? name;
    return withParameter(parameters, list, name, recordsToday(mapping, parameters[list]));
  }
  return (mapping && BY_VERB[verb]?.(mapping, parameters, route)) ?? parameters;
}

type Translate = (mapping: ResourceMapping, parameters: Parameters, route: Route) => Parameters;

const INCLUDE = '_include_related_objects';

const BY_VERB: Readonly<Record<string, Translate>> = {
  create: recordParameters,
  update: recordParameters,
  list: listParameters,
  // The name of a copy is sent under the name of its field.
  action({ definition, names }, parameters, { name = '' }) {
    const column = definition.actions[name]?.copies?.column ?? '';
    const as = names.get(column) ?? column;
    return withParameter(parameters, as, column, parameters[as]);
  },
  fetch: (mapping, parameters) =>
    withParameter(parameters, INCLUDE, INCLUDE, relationsToday(mapping, parameters[INCLUDE])),
};

/** The parameters with another name and value of one of them; undefined: it was not sent. */
function withParameter(parameters: Parameters, name: string, today: string, value: unknown): Parameters {
  if (value === undefined) return parameters;
  const { [name]: _, ...rest } = parameters;
  return Object.assign(emptyParameters(), rest, { [today]: value });
}

/** @param sent names of relations in one text or several, or what stands for all of them */
function relationsToday({ earlier, members }: ResourceMapping, sent: unknown): unknown {
  if (sent === undefined) return undefined;
  const today = (name: string) => nameToday(name, own(earlier.relations, name), members.has(name));
  return [sent].flat().flatMap((text) => {
    return typeof text === 'string' ? text.split(',').map((name) => today(name.trim())) : [text];
  });
}

/** Translates the records of a bulk create, which come as a list or as its JSON text. */
function recordsToday(items: ResourceMapping | undefined, sent: unknown): unknown {
  const coerced = coerce('json', sent);
  const list = coerced.ok ? coerced.value : sent;
  const record = (one: unknown) => (items && isMap(one) ? recordParameters(items, one, null) : one);
  return Array.isArray(list) ? list.map(record) : list;
}

/** @param route null: of a bulk create */
function recordParameters(mapping: ResourceMapping, parameters: Parameters, route: Route | null): Parameters {
  const { definition, earlier } = mapping;
  const today = emptyParameters();
  for (const name of Object.keys(parameters)) {
    const sends = own(earlier.fields, name)?.sends;
    if (sends === undefined) today[nameToday(name, undefined, isParameter(definition, name))] = parameters[name];
    else if (sends !== null && sends in today) today[sends] = agreedToday(mapping, parameters, sends, route);
    else if (sends !== null) today[sends] = valueToday(mapping, name, parameters[name]);
  }
  return withDefaults(mapping, today, route);
}

function isParameter({ parameters, synonyms, ignored }: AnyDefinition, name: string): boolean {
  return Object.hasOwn(parameters, name) || Object.hasOwn(synonyms, name) || ignored.includes(name);
}

function valueToday({ definition, earlier }: ResourceMapping, name: string, value: unknown): unknown {
  const { form, sends, values } = earlier.fields[name] ?? {};
  const today = sends ?? '';
  const formed = form === undefined ? value : formToday(form, definition.parameters[today]?.kind, value);
  return values === undefined ? formed : choiceToday(values, formed, definition.options[today]);
}

/** A choice that was added or renamed since is refused. A removed one that a row still holds may be sent back. */
function choiceToday(values: EarlierField['values'], value: unknown, options: readonly unknown[] = []): unknown {
  if (values === undefined || typeof value !== 'string') return value;
  return nameToday(value, own(values, value), options.includes(value));
}

/** A value that was sent under several names (D42). If they differ, operations refuse it, together with all else that is wrong. */
function agreedToday(mapping: ResourceMapping, parameters: Parameters, sends: string, route: Route | null): unknown {
  const { definition, earlier } = mapping;
  const [first = '', ...others] = Object.keys(parameters).filter((name) => own(earlier.fields, name)?.sends === sends);
  // The mark keeps the name as it is in the message.
  const spelled = (name: string) => ({ as: UNKNOWN + name, value: valueToday(mapping, name, parameters[name]) });
  const all = [spelled(first), ...others.map(spelled)] as const;
  const parameter = definition.parameters[sends] ?? { kind: 'text' };
  const { value, conflict } = agreed({ clears: route?.verb === 'update' }, parameter, all);
  return conflict === null ? value : new Spellings(all);
}

/** Adds the defaults of the version, also for null in an update, and the parameters that a create has required since. */
function withDefaults(mapping: ResourceMapping, today: RawParameters, route: Route | null): Parameters {
  const { parameters, synonyms } = mapping.definition;
  for (const [name, filling] of mapping.fillings) {
    if (name === 'identity' && route?.identity != null) continue;
    const { kind = 'text', nullable = false } = parameters[name] ?? {};
    const all = [name, ...Object.keys(synonyms).filter((one) => synonyms[one] === name)];
    const sent = all.filter((one) => today[one] !== undefined);
    const isNull = sent.every((one) => sameCoerced(kind, coerce(kind, today[one]), coerce(kind, null)));
    if (!isNull || (route?.verb === 'update' && (nullable || sent.length === 0))) continue;
    const value = fillValue(filling, today);
    if (value !== undefined) for (const one of [name, ...sent]) today[one] = value;
  }
  return today;
}

/** The same value that existing rows were filled with; undefined: the parameters it is made of were not sent. */
function fillValue(filling: FillRule, today: Parameters): unknown {
  if ('value' in filling) return filling.value;
  if ('join' in filling) {
    const texts = filling.join.map((name) => today[name]).filter((one) => typeof one === 'string' && one !== '');
    return texts.length === 0 ? undefined : texts.join(filling.with);
  }
  const whole = today[filling.column];
  if (filling.part === undefined || typeof whole !== 'string') return whole;
  const [first = whole, ...rest] = whole.trim().split(' ');
  return filling.part === 'first' ? first || whole : rest.join(' ').trim() || undefined;
}

/** Translates filters with their bounds, and the order. */
function listParameters(mapping: ResourceMapping, parameters: Parameters): Parameters {
  const { definition } = mapping;
  const today = emptyParameters();
  const filters = filterNames(definition);
  for (const name of Object.keys(parameters)) {
    const [, before = '', column = '', bound = ''] = /^(_start_|_end_)?([^[]*)(\[\w+\])?$/.exec(name) ?? [];
    const { column: same, values } = own(mapping.earlier.fields, column) ?? {};
    const value = parameters[name];
    if (name === '_order_by') today[name] = orderToday(mapping, value);
    else if (same !== undefined && filters.includes(same + bound))
      today[before + same + bound] = choiceToday(values, value, definition.options[same]);
    else today[nameToday(name, undefined, filters.includes(column))] = value;
  }
  return today;
}

function orderToday({ definition, earlier }: ResourceMapping, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const { sortable } = definition;
  const today = (name: string) => nameToday(name, own(earlier.fields, name)?.column, sortable.includes(name));
  const terms = value.split(',').map((term) => term.trim());
  return terms.map((term) => (orderTerm(term).name === '' ? term : renamedTerm(term, today))).join(',');
}
