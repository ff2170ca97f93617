// What a caller of a version sends, in the names of today (D68): parameters, choices, and what a create did not need then.

import type { AnyDefinition } from '../../contract/definition.js';
import { failed } from '../../contract/errors.js';
import type { FieldThen, Filling, ResourceThen } from '../../contract/versions.js';
import type { Parameters } from '../../operations/call.js';
import { canonicalDate } from '../../operations/dates.js';
import { orderTerm, renamedTerm } from '../../schema/order.js';
import { emptyParameters, type RawParameters } from '../raw-parameters.js';
import type { Route } from '../routes.js';
import { prefixOf, prefixOfType } from '../routes.js';
import { fieldOf, type Names, type Told } from './names.js';

/** Before a name, or a choice, that means something today and meant nothing then. No name that is sent begins with it. */
export const UNKNOWN = '\u0001';

/** By the operation: the parameters of a request as the operation knows them. */
export function sentToday(names: Names, route: Route, parameters: Parameters): Parameters {
  const told = names.told(route.resource);
  const items = route.of == null ? undefined : names.told(route.of.name);
  switch (route.verb) {
    case 'create':
      return told === undefined ? parameters : created(told, ofRecord(told, parameters), isOfIdentity(told, route));
    case 'update':
      return told === undefined ? parameters : ofRecord(told, parameters);
    case 'bulk':
      return ofList(items, parameters, { was: listThen(told, route.name), is: route.name ?? '' });
    case 'list':
      return items === undefined ? parameters : ofPage(items, parameters);
    case 'action':
      return told === undefined ? parameters : ofCopy(told, parameters, route.name ?? '');
    case 'fetch':
      return told === undefined ? parameters : ofFetch(told, parameters);
    default:
      return parameters;
  }
}

function ofRecord(told: Told, parameters: Parameters): RawParameters {
  const { definition } = told;
  const today: RawParameters = emptyParameters();
  const spelt = new Map<string, string>();
  for (const name of Object.keys(parameters)) {
    const field = fieldOf(told, name);
    const value = parameters[name];
    if (field?.sends === null) continue;
    if (field?.sends === undefined) {
      today[isParameter(definition, name) ? UNKNOWN + name : name] = value;
      continue;
    }
    const other = spelt.get(field.sends);
    const sent = choiceToday(field, convertedIn(field, value, definition), definition);
    if (other !== undefined && JSON.stringify(today[field.sends]) !== JSON.stringify(sent))
      throw differ([other, name], told.sent.get(field.sends));
    spelt.set(field.sends, name);
    today[field.sends] = sent;
  }
  return today;
}

/** Two names of then for what has one name today (D42). */
function differ([one, other]: readonly [string, string], field = one) {
  const message = `${one} and ${other} are names for the same parameter: their values must be equal.`;
  return failed([{ field, code: 'invalid', message }]);
}

function isParameter({ parameters, synonyms, ignored }: AnyDefinition, name: string): boolean {
  return Object.hasOwn(parameters, name) || Object.hasOwn(synonyms, name) || ignored.includes(name);
}

/** A choice that came since, or got its name since, is none. What rows keep of before may be sent back. */
function choiceToday({ values, sends }: FieldThen, value: unknown, { options }: AnyDefinition): unknown {
  if (values === undefined || typeof value !== 'string') return value;
  if (Object.hasOwn(values, value)) return values[value];
  return options[sends ?? '']?.includes(value) === true ? UNKNOWN + value : value;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function convertedIn({ form, sends }: FieldThen, value: unknown, { parameters }: AnyDefinition): unknown {
  if (form === undefined) return value;
  const kind = parameters[sends ?? '']?.kind;
  if (kind === 'date' && typeof value === 'string' && DAY.test(value)) return `${value}T00:00:00Z`;
  if (kind === 'token' && form === 'date-time' && typeof value === 'string') {
    return canonicalDate(value)?.replace(/T00:00:00\.000Z$/, '') ?? value;
  }
  const isText = kind === 'text' || kind === 'token' || kind === 'url';
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

/** At the path of an identity, the path says which it is. */
function isOfIdentity({ definition, then }: Told, { base }: Route): boolean {
  const prefix = prefixOf(base);
  const names = Object.entries(then.oldNames ?? definition.oldNames ?? {});
  return names.some(([name, identity]) => identity !== null && prefixOfType(name) === prefix);
}

/** Adds what a create stored then that did not send it, and what it needs today. */
function created({ then, definition }: Told, today: RawParameters, isOfOneIdentity: boolean): RawParameters {
  const isSent = (name: string) => {
    const synonyms = Object.keys(definition.synonyms).filter((one) => definition.synonyms[one] === name);
    return [name, ...synonyms].some((one) => today[one] !== undefined && today[one] !== null);
  };
  const fill = (name: string, filling: Filling | undefined) => {
    if (filling === undefined || isSent(name) || (isOfOneIdentity && name === 'identity')) return;
    const value = filled(filling, today);
    if (value !== undefined) today[name] = value;
  };
  for (const { sends, default: filling } of Object.values(then.fields)) {
    if (typeof sends === 'string') fill(sends, filling);
  }
  for (const [name, filling] of Object.entries(then.adds ?? {})) fill(name, filling);
  return today;
}

/** As the rows of before were filled; undefined: nothing was sent that it could be made of. */
function filled(filling: Filling, today: Parameters): unknown {
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

function listThen(told: Told | undefined, today = ''): string {
  const lists = told?.then.lists ?? {};
  return Object.keys(lists).find((name) => lists[name] === today) ?? today;
}

/** The records of a bulk create, as a list or as the text of one. */
function ofList(
  items: Told | undefined,
  parameters: Parameters,
  { was, is }: { readonly was: string; readonly is: string },
): Parameters {
  const { [was]: sent, ...rest } = parameters;
  if (sent === undefined || (items === undefined && was === is)) return parameters;
  const list = typeof sent === 'string' ? parsed(sent) : sent;
  const isRecord = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  const records =
    items !== undefined && Array.isArray(list)
      ? list.map((one: unknown) => (isRecord(one) ? created(items, ofRecord(items, one as Parameters), false) : one))
      : list;
  return Object.assign(emptyParameters(), rest, { [is]: records });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Filters with their bounds, and the order. */
function ofPage(told: Told, parameters: Parameters): Parameters {
  const today = emptyParameters();
  const columns = new Map([...told.columns].map(([column, name]) => [name, column]));
  const isFilter = (name: string) => told.definition.filters.includes(name);
  for (const name of Object.keys(parameters)) {
    const [, before = '', column = '', bound = ''] = /^(_start_|_end_)?([^[]*)(\[\w+\])?$/.exec(name) ?? [];
    const same = columns.get(column);
    const field = fieldOf(told, column);
    const value = parameters[name];
    if (name === '_order_by') today[name] = orderToday(columns, told, value);
    else if (same !== undefined && isFilter(same) && field !== undefined)
      today[before + same + bound] = choiceToday({ ...field, sends: same }, value, told.definition);
    else today[isFilter(column) ? UNKNOWN + name : name] = value;
  }
  return today;
}

function orderToday(columns: ReadonlyMap<string, string>, { definition }: Told, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const today = (name: string) => columns.get(name) ?? (definition.sortable.includes(name) ? UNKNOWN + name : name);
  const terms = value.split(',').map((term) => term.trim());
  return terms.map((term) => (orderTerm(term).name === '' ? term : renamedTerm(term, today))).join(',');
}

/** The name of a copy is a field of it. */
function ofCopy(told: Told, parameters: Parameters, action: string): Parameters {
  const column = told.definition.actions[action]?.copies?.column ?? '';
  const name = told.columns.get(column) ?? column;
  if (name === column) return parameters;
  const { [name]: sent, ...rest } = parameters;
  return sent === undefined ? parameters : Object.assign(emptyParameters(), rest, { [column]: sent });
}

const INCLUDE = '_include_related_objects';

function ofFetch({ then, definition }: Told, parameters: Parameters): Parameters {
  const value = parameters[INCLUDE];
  if (value === undefined) return parameters;
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const names = texts.flatMap((text) => (typeof text === 'string' ? text.split(',').map((one) => one.trim()) : [text]));
  return Object.assign(emptyParameters(), parameters, {
    [INCLUDE]: names.map((name) => (typeof name === 'string' ? relationToday(then, definition, name) : name)),
  });
}

function relationToday({ relations }: ResourceThen, { references }: AnyDefinition, name: string): string {
  if (Object.hasOwn(relations, name)) return relations[name] ?? name;
  return references.some(({ relation }) => relation === name) ? UNKNOWN + name : name;
}
