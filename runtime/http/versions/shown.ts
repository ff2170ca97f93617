// What a caller of a version is shown (D68): records with their properties, lists, related records, links and allowed values in
// the names of then. Nothing is added that today's answer does not hold, but null for what is gone.

import type { CatalogueRow } from '../../contract/catalogue.js';
import type { FormThen, VersionTable } from '../../contract/versions.js';
import { wordsOf } from '../../operations/options.js';
import type { Profile } from '../profiles.js';
import type { Route } from '../routes.js';
import { memberThen, type Names, type Told } from './names.js';

type Json = Readonly<Record<string, unknown>>;

export interface Showing {
  readonly names: Names;
  readonly table: VersionTable;
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean'>;
}

/** The text of an answer, by the operation. */
export function shownThen(showing: Showing, route: Route, body: string): string {
  const { names } = showing;
  const show = BY_VERB[route.verb ?? 'none'];
  if (show === undefined || (route.verb !== 'fetch' && !mayDiffer(names, route))) return body;
  return JSON.stringify(show(showing, route, JSON.parse(body) as Json));
}

/** Related records and links of a fetch may be of any resource. */
function mayDiffer({ told }: Names, { resource, of, verb }: Route): boolean {
  return (
    verb === 'uses' || verb === 'related' || told(resource) !== undefined || (of != null && told(of.name) !== undefined)
  );
}

type Show = (showing: Showing, route: Route, body: Json) => unknown;

const record: Show = (showing, { resource }, body) => recordThen(showing, resource, body);

const BY_VERB: Readonly<Record<string, Show>> = {
  create: record,
  update: record,
  action: record,
  fetch: record,
  related(showing, { resource, name }, body) {
    const references = showing.names.definition(resource)?.references ?? [];
    return recordThen(showing, references.find(({ relation }) => relation === name)?.to ?? '', body);
  },
  list: (showing, { of }, { items, ...rest }) => ({
    ...rest,
    items: all(items, (one) => recordThen(showing, of?.name ?? '', one)),
  }),
  uses: (showing, _, { items, ...rest }) => ({
    ...rest,
    items: all(items, (one) => recordThen(showing, typeOf(showing, one), one)),
  }),
  bulk(showing, { resource, of, name = '' }, { [name]: records, ...rest }) {
    const list = memberThen(showing.names.told(resource), name) ?? name;
    return { [list]: all(records, (one) => recordThen(showing, of?.name ?? '', one)), ...rest };
  },
  options(showing, { resource }, body) {
    const told = showing.names.told(resource);
    return told === undefined ? body : optionsThen(told, body);
  },
};

function all(items: unknown, show: (one: Json) => Json): unknown {
  return Array.isArray(items) ? (items as readonly Json[]).map(show) : items;
}

/** The resource whose type constant the record shows. */
function typeOf({ names, table }: Showing, { object_type: type }: Json): string {
  const isIt = (resource: string) => {
    const property = names.definition(resource)?.properties.object_type;
    return property?.kind === 'constant' && property.value === type;
  };
  return Object.keys(table.resources).find(isIt) ?? '';
}

/** @param resource today's name */
export function recordThen(showing: Showing, resource: string, today: Json): Json {
  const { names } = showing;
  const told = names.told(resource);
  const then: Record<string, unknown> = {};
  const rest: [string, unknown][] = [];
  let isPast = false;
  for (const name in today) {
    if (told?.shown.has(name)) {
      isPast = true;
      continue;
    }
    const related = names.definition(resource)?.references.find(({ relation }) => relation === name);
    const shown = memberOf(showing, told, { name, value: today[name], related: related?.to });
    if (shown === null) continue;
    if (isPast) rest.push(shown);
    else then[shown[0]] = shown[1];
  }
  if (told !== undefined) Object.assign(then, propertiesThen(showing, told, today));
  for (const [name, value] of rest) then[name] = value;
  return then;
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  /** The resource of a related record. */
  readonly related: string | undefined;
}

/** What stands beside the properties of a record; null: it was not there. */
function memberOf(
  showing: Showing,
  told: Told | undefined,
  { name, value, related }: Member,
): [string, unknown] | null {
  if (name === '_relationships') return [name, linksThen(showing, told, value as Json)];
  if (name === '_options') return [name, told === undefined ? value : optionsThen(told, value as Json)];
  if (related === undefined || typeof value !== 'object' || value === null) return [name, value];
  const as = memberThen(told, name);
  return as === undefined ? null : [as, recordThen(showing, related, value as Json)];
}

function propertiesThen(showing: Showing, told: Told, today: Json): Json {
  const { then, definition } = told;
  if (isOfThen(told, today)) return pick(today, told.shown, then.fields);
  const shown: Record<string, unknown> = {};
  const last: Record<string, unknown> = {};
  for (const { name, shows, constant, describes, form } of told.showing) {
    if (shows === null) shown[name] = null;
    const value = shows == null ? undefined : today[shows];
    if (shows == null || value === undefined) continue;
    const own =
      constant ??
      (describes !== undefined && value !== null
        ? briefThen(showing, describes, value as Json)
        : convertedOut(showing, form, choiceThen(told, shows, value)));
    // A token stands behind everything else.
    if (shows === definition.token) last[name] = own;
    else shown[name] = own;
  }
  return Object.assign(shown, last);
}

/** An answer that was stored before names changed, and is given again (D50). */
function isOfThen({ renamed }: Told, today: Json): boolean {
  return renamed.some(([then]) => today[then] !== undefined) && renamed.every(([, name]) => today[name] === undefined);
}

function pick(today: Json, shown: ReadonlySet<string>, fields: Json): Json {
  return Object.fromEntries(Object.entries(today).filter(([name]) => shown.has(name) || Object.hasOwn(fields, name)));
}

function choiceThen({ choices }: Told, property: string, value: unknown): unknown {
  return typeof value === 'string' ? (choices.get(property)?.get(value) ?? value) : value;
}

const WHOLE = /^-?(0|[1-9]\d*)$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** By the form of then; what has no such form is shown as it is. */
function convertedOut({ profile }: Showing, form: FormThen | undefined, value: unknown): unknown {
  if (form === undefined || value === null) return value;
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

function briefThen(showing: Showing, resource: string, today: Json): Json {
  const told = showing.names.told(resource);
  if (told === undefined) return today;
  const shown = told.then.brief.flatMap((name) => {
    const as = told.then.fields[name]?.shows;
    return as == null || !Object.hasOwn(today, as) ? [] : [[name, choiceThen(told, as, today[as])] as const];
  });
  return Object.fromEntries(shown);
}

/** In the order of then; what is neither a relation nor a list stays. */
function linksThen({ names }: Showing, told: Told | undefined, links: Json): Json {
  const shown = Object.entries(links).map(([name, path]) => [name, names.path(String(path))] as const);
  if (told === undefined) return Object.fromEntries(shown);
  const { relations, lists } = told.then;
  const today = new Map(shown);
  const named = Object.entries({ ...relations, ...lists }).flatMap(([name, same]) =>
    today.has(same) ? [[name, today.get(same)] as const] : [],
  );
  const known = new Set([...told.definition.references.map(({ relation }) => relation), ...listsOf(told, names)]);
  const [self = [], others = []] = [shown.slice(0, 1), shown.slice(1).filter(([name]) => !known.has(name))];
  return Object.fromEntries([...self, ...named, ...others]);
}

function listsOf({ definition }: Told, names: Names): readonly string[] {
  return names.listsBelow(definition.name);
}

/** The choices of then that can still be sent, with the words of their names of then. */
function optionsThen({ then, choices }: Told, options: Json): Json {
  const shown: Record<string, unknown> = {};
  const titles: Record<string, unknown> = {};
  for (const [name, { sends, column, values }] of Object.entries(then.fields)) {
    const today = typeof sends === 'string' && sends === column ? (options[sends] as readonly unknown[]) : undefined;
    if (today === undefined) continue;
    const choosable = (one: string) => today.includes(values?.[one]);
    shown[name] = values === undefined ? today : Object.keys(values).filter(choosable);
    const words = options[`_${sends}`] as Readonly<Record<string, string>> | undefined;
    if (words === undefined) continue;
    const chosen =
      values === undefined
        ? words
        : Object.fromEntries(
            Object.keys(values)
              .filter(choosable)
              .map((one) => [one, titleThen(one, values[one] ?? one, words)]),
          );
    titles[`_${name}`] = chosen;
  }
  const { _sizes: sizes } = options as { readonly _sizes?: Json };
  const identities = choices.get('identity');
  const named = Object.entries(sizes ?? {}).flatMap(([identity, size]) => {
    const name = identities === undefined ? identity : identities.get(identity);
    return name === undefined ? [] : [[name, size] as const];
  });
  return { ...shown, ...titles, ...(sizes === undefined ? {} : { _sizes: Object.fromEntries(named) }) };
}

/** A title that is not the words of the name stays. */
function titleThen(name: string, today: string, titles: Readonly<Record<string, string>>): string | undefined {
  return titles[today] === wordsOf(today) ? wordsOf(name) : titles[today];
}

/** What rows of the catalogue have besides their attributes. */
const ROW_KEYS: ReadonlySet<string> = new Set<keyof CatalogueRow>([
  'identity',
  'name',
  'create_api',
  'relationship',
  'size',
  'sides',
  'child',
  '_relationships',
]);

/** A list of rows, or one. */
export function catalogueThen({ catalogue = {} }: VersionTable, body: string): string {
  const rows = JSON.parse(body) as CatalogueRow | readonly CatalogueRow[];
  const shown = (row: CatalogueRow): readonly Json[] => {
    const then = catalogue[row.identity];
    if (then === null) return [];
    if (then === undefined) return [{ ...row }];
    const attributes = Object.entries(row).filter(([name]) => !ROW_KEYS.has(name));
    return [{ ...then, ...Object.fromEntries(attributes) }];
  };
  return JSON.stringify(Array.isArray(rows) ? rows.flatMap(shown) : shown(rows as CatalogueRow)[0]);
}

/** Today's identity of a row; null: there was no such row. */
export function rowToday({ catalogue = {} }: VersionTable, identity: string): string | null {
  const same = Object.keys(catalogue).find((today) => catalogue[today]?.identity === identity);
  if (same !== undefined) return same;
  return Object.hasOwn(catalogue, identity) ? null : identity;
}
