// Translates what a caller of a version sends to today's names (D68), and adds what a create did not require in that version.

import type { AnyDefinition, ParameterKind } from '../../contract/definition.js';
import { filterNames } from '../../contract/ranges.js';
import type { EarlierField, EarlierResource, FillRule } from '../../contract/versions.js';
import type { Parameters } from '../../operations/call.js';
import { canonicalDate } from '../../operations/dates.js';
import { coerce, conflictMessage, type SentValue, sameCoerced } from '../../operations/validate.js';
import { orderTerm, renamedTerm } from '../../schema/order.js';
import { emptyParameters, type RawParameters } from '../raw-parameters.js';
import type { Route } from '../routes.js';
import { prefixOf, prefixOfType } from '../routes.js';
import { earlierMember, fieldOf, type ResourceMapping, type VersionNames } from './names.js';

/** Marks a name or choice that has a meaning today but had none in the version. No name that a caller sends begins with it. */
export const UNKNOWN = '\u0001';

/** The parameters of a request as the operation of its route knows them. */
export function parametersToday(names: VersionNames, route: Route, parameters: Parameters): Parameters {
  const [own, items] = [names.mapping(route.resource), names.mapping(route.of?.name ?? '')];
  const { verb = '', name: today = '' } = route;
  if (verb === 'bulk') return bulkParameters(items, parameters, { earlier: earlierMember(own, today) ?? today, today });
  const mapping = verb === 'list' ? items : own;
  return (mapping && BY_VERB[verb]?.(mapping, parameters, route)) ?? parameters;
}

type Translate = (mapping: ResourceMapping, parameters: Parameters, route: Route) => Parameters;

const BY_VERB: Readonly<Record<string, Translate>> = {
  create: recordParameters,
  update: recordParameters,
  list: listParameters,
  action: copyParameters,
  fetch: fetchParameters,
};

/** @param route null: of a bulk create */
function recordParameters(mapping: ResourceMapping, parameters: Parameters, route: Route | null): RawParameters {
  const { definition } = mapping;
  const today: RawParameters = emptyParameters();
  const agreed = new Map<string, SentValue>();
  for (const name of Object.keys(parameters)) {
    const field = fieldOf(mapping, name);
    const value = parameters[name];
    if (field?.sends === null) continue;
    if (field?.sends === undefined) {
      today[isParameter(definition, name) ? UNKNOWN + name : name] = value;
      continue;
    }
    const [other, kind] = [agreed.get(field.sends), definition.parameters[field.sends]?.kind];
    const sent = { as: name, value: choiceToday(field, formToday(field, value, definition), definition) };
    const one =
      other === undefined || kind === undefined ? sent : agreedSpelling(kind, [other, sent], route?.verb === 'update');
    agreed.set(field.sends, one);
    today[field.sends] = one.value;
  }
  return withDefaults(mapping, today, route);
}

/**
 * One of two earlier names of a parameter (D42). If their values differ, its value is a symbol, which operations refuse for
 * every kind of parameter, together with all else that is wrong; `conflictAt` then says why.
 */
function agreedSpelling(
  kind: ParameterKind,
  [one, other]: readonly [SentValue, SentValue],
  isUpdate: boolean,
): SentValue {
  const [first, second] = [coerce(kind, one.value), coerce(kind, other.value)];
  if (!isUpdate && second.ok && second.value === null) return one;
  if (!isUpdate && first.ok && first.value === null) return other;
  if (typeof one.value === 'symbol' || sameCoerced(kind, first, second)) return one;
  return { as: one.as, value: Symbol(conflictMessage(one.as, other.as)) };
}

/** @param field of a failure. @returns the message about two earlier names that came with different values; undefined: they did not */
export function conflictAt(parameters: Parameters, field: string): string | undefined {
  const [, list, at = '', name = ''] = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
  const items = parameters[list ?? ''] as readonly Parameters[] | undefined;
  const value = list === undefined ? parameters[field] : items?.[Number(at)]?.[name];
  return typeof value === 'symbol' ? value.description : undefined;
}

function isParameter({ parameters, synonyms, ignored }: AnyDefinition, name: string): boolean {
  return Object.hasOwn(parameters, name) || Object.hasOwn(synonyms, name) || ignored.includes(name);
}

/** A choice that was added or renamed since is refused. A removed one that a row still holds may be sent back. */
function choiceToday({ values, sends }: EarlierField, value: unknown, { options }: AnyDefinition): unknown {
  if (values === undefined || typeof value !== 'string') return value;
  if (Object.hasOwn(values, value)) return values[value];
  return options[sends ?? '']?.includes(value) === true ? UNKNOWN + value : value;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function formToday({ form, sends }: EarlierField, value: unknown, { parameters }: AnyDefinition): unknown {
  if (form === undefined) return value;
  const kind = parameters[sends ?? '']?.kind;
  if (kind === 'date' && typeof value === 'string' && DAY.test(value)) return `${value}T00:00:00Z`;
  if (kind === 'token' && form === 'date-time' && typeof value === 'string') {
    return canonicalDate(value)?.replace(/T00:00:00\.000Z$/, '') ?? value;
  }
  const isText = kind === 'text' || kind === 'token' || kind === 'url';
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

/** Whether the path of the route implies the identity. */
function impliesIdentity({ definition, earlier }: ResourceMapping, { base }: Route): boolean {
  const prefix = prefixOf(base);
  const names = Object.entries(earlier.oldNames ?? definition.oldNames ?? {});
  return names.some(([name, identity]) => identity !== null && prefixOfType(name) === prefix);
}

/** Adds the defaults of the version, also for null in an update, and the parameters that a create has required since. */
function withDefaults(mapping: ResourceMapping, today: RawParameters, route: Route | null): RawParameters {
  const { parameters, synonyms } = mapping.definition;
  for (const [name, filling] of mapping.fillings) {
    if (name === 'identity' && route !== null && impliesIdentity(mapping, route)) continue;
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

/** Translates the records of a bulk create, which come as a list or as its JSON text. */
function bulkParameters(
  items: ResourceMapping | undefined,
  parameters: Parameters,
  { earlier, today }: { readonly earlier: string; readonly today: string },
): Parameters {
  const { [earlier]: sent, ...rest } = parameters;
  if (sent === undefined || (items === undefined && earlier === today)) return parameters;
  const coerced = coerce('json', sent);
  const list = coerced.ok ? coerced.value : sent;
  const isRecord = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  const record = (one: unknown) => (items && isRecord(one) ? recordParameters(items, one as Parameters, null) : one);
  const records = Array.isArray(list) ? list.map(record) : list;
  return Object.assign(emptyParameters(), rest, { [today]: records });
}

/** Translates filters with their bounds, and the order. */
function listParameters(mapping: ResourceMapping, parameters: Parameters): Parameters {
  const today = emptyParameters();
  const filters = filterNames(mapping.definition);
  for (const name of Object.keys(parameters)) {
    const [, before = '', column = '', bound = ''] = /^(_start_|_end_)?([^[]*)(\[\w+\])?$/.exec(name) ?? [];
    const same = mapping.columnsToday.get(column);
    const field = fieldOf(mapping, column);
    const value = parameters[name];
    if (name === '_order_by') today[name] = orderToday(mapping, value);
    else if (same !== undefined && filters.includes(same + bound) && field !== undefined)
      today[before + same + bound] = choiceToday({ ...field, sends: same }, value, mapping.definition);
    else today[filters.includes(column) ? UNKNOWN + name : name] = value;
  }
  return today;
}

function orderToday({ definition, columnsToday }: ResourceMapping, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const today = (name: string) =>
    columnsToday.get(name) ?? (definition.sortable.includes(name) ? UNKNOWN + name : name);
  const terms = value.split(',').map((term) => term.trim());
  return terms.map((term) => (orderTerm(term).name === '' ? term : renamedTerm(term, today))).join(',');
}

/** The name of a copy is sent under the name of its field. */
function copyParameters(mapping: ResourceMapping, parameters: Parameters, { name: action = '' }: Route): Parameters {
  const column = mapping.definition.actions[action]?.copies?.column ?? '';
  const name = mapping.columns.get(column) ?? column;
  if (name === column) return parameters;
  const { [name]: sent, ...rest } = parameters;
  return sent === undefined ? parameters : Object.assign(emptyParameters(), rest, { [column]: sent });
}

const INCLUDE = '_include_related_objects';

function fetchParameters({ earlier, definition }: ResourceMapping, parameters: Parameters): Parameters {
  const value = parameters[INCLUDE];
  if (value === undefined) return parameters;
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const names = texts.flatMap((text) => (typeof text === 'string' ? text.split(',').map((one) => one.trim()) : [text]));
  return Object.assign(emptyParameters(), parameters, {
    [INCLUDE]: names.map((name) => (typeof name === 'string' ? relationToday(earlier, definition, name) : name)),
  });
}

function relationToday({ relations }: EarlierResource, { references }: AnyDefinition, name: string): string {
  if (Object.hasOwn(relations, name)) return relations[name] ?? name;
  return references.some(({ relation }) => relation === name) ? UNKNOWN + name : name;
}
