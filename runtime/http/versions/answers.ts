// Turns an answer into the one that a caller of a version gets (D68): records, lists, links and allowed values with their earlier
// names. Nothing is added to today's answer but null for properties that have been removed.

import { type CatalogueRow, ROW_KEYS } from '../../contract/catalogue.js';
import type { NameTable, ValueForm } from '../../contract/versions.js';
import { wordsOf } from '../../operations/options.js';
import type { Profile } from '../profiles.js';
import type { Route } from '../routes.js';
import { createNames, earlierMember, type ResourceMapping, type ShownField, type VersionNames } from './names.js';
import type { VersionContext } from './versions.js';

type Json = Readonly<Record<string, unknown>>;

export interface AnswerContext {
  readonly names: VersionNames;
  readonly table: NameTable;
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean'>;
}

/** @returns a function that shows a record of a resource, by today's name, as the version has it; both are JSON text */
export function recordsIn(table: NameTable, context: Pick<VersionContext, 'definitions' | 'profile'>) {
  const { definitions, profile } = context;
  const names = createNames(definitions, table);
  return (resource: string, today: string): string =>
    names.mapping(resource) === undefined
      ? today
      : JSON.stringify(earlierRecord({ names, table, profile }, resource, JSON.parse(today) as Json));
}

/** The body of an answer as the version has it, by the verb of the route. */
export function earlierBody(context: AnswerContext, route: Route, body: string): string {
  const { names } = context;
  const show = BY_VERB[route.verb ?? 'none'];
  if (show === undefined || (route.verb !== 'fetch' && !mayDiffer(names, route))) return body;
  return JSON.stringify(show(context, route, JSON.parse(body) as Json));
}

/** The records of some answers may be of any resource. */
function mayDiffer({ mapping }: VersionNames, { resource, of, verb }: Route): boolean {
  return (
    verb === 'uses' ||
    verb === 'related' ||
    mapping(resource) !== undefined ||
    (of != null && mapping(of.name) !== undefined)
  );
}

type BodyConverter = (context: AnswerContext, route: Route, body: Json) => unknown;

const record: BodyConverter = (context, { resource }, body) => earlierRecord(context, resource, body);

const BY_VERB: Readonly<Record<string, BodyConverter>> = {
  create: record,
  update: record,
  action: record,
  fetch: record,
  related(context, { resource, name }, body) {
    const references = context.names.definition(resource)?.references ?? [];
    return earlierRecord(context, references.find(({ relation }) => relation === name)?.to ?? '', body);
  },
  list: (context, { of }, { items, ...rest }) => ({
    ...rest,
    items: all(items, (one) => earlierRecord(context, of?.name ?? '', one)),
  }),
  uses: (context, _, { items, ...rest }) => ({
    ...rest,
    items: all(items, (one) => earlierRecord(context, typeOf(context, one), one)),
  }),
  bulk(context, { resource, of, name = '' }, { [name]: records, ...rest }) {
    const list = earlierMember(context.names.mapping(resource), name) ?? name;
    return { [list]: all(records, (one) => earlierRecord(context, of?.name ?? '', one)), ...rest };
  },
  options(context, { resource }, body) {
    const mapping = context.names.mapping(resource);
    return mapping === undefined ? body : earlierOptions(mapping, body);
  },
};

function all(items: unknown, show: (one: Json) => Json): unknown {
  return Array.isArray(items) ? (items as readonly Json[]).map(show) : items;
}

/** The resource whose type constant the record shows. */
function typeOf({ names, table }: AnswerContext, { object_type: type }: Json): string {
  const isIt = (resource: string) => {
    const property = names.definition(resource)?.properties.object_type;
    return property?.kind === 'constant' && property.value === type;
  };
  return Object.keys(table.resources).find(isIt) ?? '';
}

/** @param resource today's name */
export function earlierRecord(context: AnswerContext, resource: string, today: Json): Json {
  const { names } = context;
  const mapping = names.mapping(resource);
  const earlier: Record<string, unknown> = {};
  let isPast = false;
  for (const name in today) {
    if (mapping?.properties.has(name)) {
      if (!isPast) addProperties(earlier, context, mapping, today);
      isPast = true;
      continue;
    }
    const related = names.definition(resource)?.references.find(({ relation }) => relation === name);
    const shown = memberOf(context, mapping, { name, value: today[name], related: related?.to });
    if (shown !== null) earlier[shown[0]] = shown[1];
  }
  return earlier;
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  /** The resource of a related record. */
  readonly related: string | undefined;
}

/** A member of a record that is not a property; null: the version did not have it. */
function memberOf(
  context: AnswerContext,
  mapping: ResourceMapping | undefined,
  { name, value, related }: Member,
): [string, unknown] | null {
  if (name === '_relationships') return [name, earlierLinks(context, mapping, value as Json)];
  if (name === '_options') return [name, mapping === undefined ? value : earlierOptions(mapping, value as Json)];
  if (mapping !== undefined && name === mapping.definition.token) {
    const token = Object.entries(mapping.earlier.fields).find(([, { shows }]) => shows === name);
    return token === undefined ? null : [token[0], value];
  }
  if (related === undefined || typeof value !== 'object' || value === null) return [name, value];
  const as = earlierMember(mapping, name);
  return as === undefined ? null : [as, earlierRecord(context, related, value as Json)];
}

function addProperties(
  earlier: Record<string, unknown>,
  context: AnswerContext,
  mapping: ResourceMapping,
  today: Json,
): void {
  const { fields } = mapping.earlier;
  if (isInEarlierNames(mapping, today)) {
    const own = (name: string) => mapping.properties.has(name) || Object.hasOwn(fields, name);
    for (const name in today) if (own(name)) earlier[name] = today[name];
    return;
  }
  for (const field of mapping.shownFields) {
    const value = field.shows == null ? null : today[field.shows];
    if (value !== undefined) earlier[field.name] = earlierValue(context, field, value);
  }
}

function earlierValue(context: AnswerContext, field: ShownField, value: unknown): unknown {
  const { constant, describes, form, renamed } = field;
  if (constant !== undefined) return constant;
  if (value === null) return null;
  if (describes !== undefined) return earlierBrief(context, describes, value as Json);
  return earlierForm(context, form, renamed?.get(value as string) ?? value);
}

/** Whether the answer was stored before names changed, and is given again (D50). */
function isInEarlierNames({ renamed }: ResourceMapping, today: Json): boolean {
  return (
    renamed.some(([earlier]) => today[earlier] !== undefined) && renamed.every(([, name]) => today[name] === undefined)
  );
}

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The value in the earlier form; one that cannot have this form stays as it is. */
function earlierForm({ profile }: AnswerContext, form: ValueForm | undefined, value: unknown): unknown {
  if (form === undefined) return value;
  const text = String(value);
  switch (form) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? text : value;
    case 'number':
      return typeof value === 'boolean' || WHOLE.test(text) ? Number(value) : value;
    case 'bit':
      return Number(value);
    case 'flag':
      return profile.formatBoolean(value === 1 || value === true);
    case 'date-time':
      return DAY.test(text) ? profile.formatDate(Date.parse(text)) : value;
    default:
      return /[T ]00:00:00(\.000Z)?$/.test(text) ? text.slice(0, 10) : value;
  }
}

function earlierBrief(context: AnswerContext, resource: string, today: Json): Json {
  const mapping = context.names.mapping(resource);
  if (mapping === undefined) return today;
  const shown: Record<string, unknown> = {};
  for (const name of mapping.earlier.brief) {
    const field = mapping.shownFields.find((one) => one.name === name);
    const value = field?.shows == null ? undefined : today[field.shows];
    if (field !== undefined && value !== undefined) shown[name] = earlierValue(context, field, value);
  }
  return shown;
}

/** Links in their earlier order; those that are neither a relation nor a list stay. */
function earlierLinks({ names }: AnswerContext, mapping: ResourceMapping | undefined, links: Json): Json {
  const shown = Object.entries(links).map(([name, path]) => [name, names.path(String(path))] as const);
  if (mapping === undefined) return Object.fromEntries(shown);
  const { relations, lists } = mapping.earlier;
  const today = new Map(shown);
  const named = Object.entries({ ...relations, ...lists }).flatMap(([name, same]) =>
    today.has(same) ? [[name, today.get(same)] as const] : [],
  );
  const [self = [], others = []] = [shown.slice(0, 1), shown.slice(1).filter(([name]) => !mapping.members.has(name))];
  return Object.fromEntries([...self, ...named, ...others]);
}

/** The earlier choices that can still be sent, with titles made from their earlier names. */
function earlierOptions({ earlier }: ResourceMapping, options: Json): Json {
  const shown: Record<string, unknown> = {};
  const titles: Record<string, unknown> = {};
  for (const [name, { sends, column, values }] of Object.entries(earlier.fields)) {
    const today = typeof sends === 'string' && sends === column ? (options[sends] as readonly string[]) : undefined;
    if (today === undefined) continue;
    const chosen = values && Object.entries(values).filter(([, one]) => today.includes(one));
    shown[name] = chosen?.map(([one]) => one) ?? today;
    const words = options[`_${sends}`] as Readonly<Record<string, string>> | undefined;
    const named = chosen?.map(([one, same]) => [one, words && earlierTitle(one, same, words)]);
    if (words !== undefined) titles[`_${name}`] = named === undefined ? words : Object.fromEntries(named);
  }
  const { _sizes: sizes } = options as { readonly _sizes?: Json };
  if (sizes === undefined) return { ...shown, ...titles };
  const identities = Object.entries(earlier.fields.identity?.values ?? {});
  const named = identities.flatMap(([name, today]) => (Object.hasOwn(sizes, today) ? [[name, sizes[today]]] : []));
  return { ...shown, ...titles, _sizes: identities.length === 0 ? sizes : Object.fromEntries(named) };
}

/** A title that is not the words of the name stays. */
function earlierTitle(name: string, today: string, titles: Readonly<Record<string, string>>): string | undefined {
  return titles[today] === wordsOf(today) ? wordsOf(name) : titles[today];
}

const FIXED_KEYS: ReadonlySet<string> = new Set(ROW_KEYS);

/** The body of the catalogue or of one row, as the version has it. */
export function earlierRows({ catalogue = {} }: NameTable, body: string): string {
  const rows = JSON.parse(body) as CatalogueRow | readonly CatalogueRow[];
  const shown = (row: CatalogueRow): readonly Json[] => {
    const earlier = catalogue[row.identity];
    if (earlier === null) return [];
    if (earlier === undefined) return [{ ...row }];
    const attributes = Object.entries(row).filter(([name]) => !FIXED_KEYS.has(name));
    return [{ ...earlier, ...Object.fromEntries(attributes) }];
  };
  return JSON.stringify(Array.isArray(rows) ? rows.flatMap(shown) : shown(rows as CatalogueRow)[0]);
}

/** Today's identity of a row; null: there was no such row. */
export function rowToday({ catalogue = {} }: NameTable, identity: string): string | null {
  const same = Object.keys(catalogue).find((today) => catalogue[today]?.identity === identity);
  if (same !== undefined) return same;
  return Object.hasOwn(catalogue, identity) ? null : identity;
}
