// Turns an answer into the one that a caller of a version gets (D68): records, lists, links and allowed values with their earlier
// names. Nothing is added to today's answer but null for properties that have been removed.

import { type CatalogueRow, ROW_KEYS } from '../../contract/catalogue.js';
import type { EarlierField, NameTable } from '../../contract/versions.js';
import { optionsOf } from '../../operations/options.js';
import type { Route } from '../routes.js';
import { EARLIER_FORMS } from './forms.js';
import { choicesIn, createNames, type ResourceMapping, type ShownField, type VersionNames } from './names.js';
import type { NameContext } from './versions.js';

type Members = Record<string, unknown>;
type Json = Readonly<Members>;

/** @returns a function that shows a record of a resource, by today's name, as the version has it; both are JSON text */
export function recordsIn(table: NameTable, context: NameContext) {
  const names = createNames(table, context);
  return (resource: string, today: string): string =>
    names.mapping(resource) === undefined
      ? today
      : JSON.stringify(earlierRecord(names, resource, JSON.parse(today) as Json));
}

/** The verbs whose answers have a list of records; those of others are a record. */
const LISTING: ReadonlySet<string> = new Set(['list', 'uses', 'bulk']);

/** The body of an answer as the version has it, by the verb of the route. */
export function earlierBody(names: VersionNames, route: Route, body: string): string {
  const { resource, of, verb = '', name = '' } = route;
  const mapping = names.mapping(resource);
  if (isOfCatalogue(route)) return earlierRows(names.table, body);
  if (verb === 'options' && mapping !== undefined) return JSON.stringify(earlierOptions(mapping));
  const records = verb === 'related' ? names.related(resource, name) : of?.name;
  // A fetch may include other records, and a list may have records of any resource.
  const mayDiffer = verb === 'fetch' || of === null || (mapping ?? names.mapping(records ?? '')) !== undefined;
  // The answers to a deletion and of hand-written routes are not records.
  if (!mayDiffer || verb === 'remove' || verb === '') return body;
  const today = JSON.parse(body) as Json;
  const show = (one: Json) => earlierRecord(names, records ?? typeOf(names, one), one);
  if (!LISTING.has(verb)) return JSON.stringify(show(today));
  const members = Object.entries(today).map(([key, value]) => [
    verb === 'bulk' ? (names.member(resource, key) ?? key) : key,
    Array.isArray(value) ? value.map(show) : value,
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

/** The resource whose type constant the record shows, among those that differ. */
function typeOf({ table, mapping }: VersionNames, { object_type: type }: Json): string {
  const isIt = (resource: string) => {
    const property = mapping(resource)?.definition.properties.object_type;
    return property?.kind === 'constant' && property.value === type;
  };
  return Object.keys(table.resources).find(isIt) ?? '';
}

/** @param resource today's name */
function earlierRecord(names: VersionNames, resource: string, today: Json): Json {
  const mapping = names.mapping(resource);
  if (mapping !== undefined && isInEarlierNames(mapping, today)) return today;
  const earlier: Members = {};
  let isPast = false;
  for (const name in today) {
    if (mapping === undefined || !Object.hasOwn(mapping.definition.properties, name)) {
      const as = names.member(resource, name);
      if (as !== undefined) earlier[as] = earlierMember(names, resource, name, today[name]);
    } else if (!isPast) {
      addFields(earlier, names, mapping.shown, today);
      isPast = true;
    }
  }
  return earlier;
}

/** Whether the answer was stored before names changed, and is given again (D50). */
function isInEarlierNames({ renamed }: ResourceMapping, today: Json): boolean {
  return renamed.some(({ name }) => name in today) && !renamed.some(({ shows }) => (shows ?? '') in today);
}

/** The value of a member of a record that is not a property. */
function earlierMember(names: VersionNames, resource: string, name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const mapping = names.mapping(resource);
  if (name === '_relationships') return earlierLinks(names, mapping, value as Json);
  if (name === '_options' && mapping !== undefined) return earlierOptions(mapping);
  const related = names.related(resource, name);
  return related === undefined ? value : earlierRecord(names, related, value as Json);
}

function addFields(earlier: Members, names: VersionNames, fields: readonly ShownField[], today: Json): Json {
  for (const field of fields) {
    const value = field.shows == null ? null : today[field.shows];
    if (value !== undefined) earlier[field.name] = earlierValue(names, field, value);
  }
  return earlier;
}

function earlierValue(names: VersionNames, field: ShownField, value: unknown): unknown {
  const { constant, describes, form, renamed } = field;
  if (constant !== undefined) return constant;
  if (value === null) return null;
  const brief = describes && names.mapping(describes)?.brief;
  if (brief) return addFields({}, names, brief, value as Json);
  const named = renamed.find(({ from }) => from === value)?.to ?? value;
  return form === undefined ? named : EARLIER_FORMS[form](named, String(named), names.profile);
}

/** Links in their earlier order. */
function earlierLinks(names: VersionNames, mapping: ResourceMapping | undefined, links: Json): Json {
  const paths = Object.fromEntries(Object.entries(links).map(([name, path]) => [name, names.path(String(path))]));
  if (mapping === undefined) return paths;
  const { definition, earlier } = mapping;
  const { uses = 'self' } = definition.upload ?? {};
  return renamed({ self: 'self', ...earlier.relations, ...earlier.lists, [uses]: uses }, paths);
}

/** The earlier choices that can still be sent. */
function earlierOptions({ definition, earlier }: ResourceMapping): Json {
  const options: Record<string, readonly (string | number)[]> = {};
  const titles: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, { sends, column = '', values }] of Object.entries(earlier.fields)) {
    // A choice that is free text today still accepts all of its earlier values.
    const today = sends === column ? (definition.options[column] ?? Object.values(values ?? {})) : [];
    if (today.length === 0) continue;
    options[name] = choicesIn(values, today);
    titles[name] = renamed(values, definition.titles?.[column] ?? {});
  }
  const sizes = definition.sizes && { sizes: renamed(earlier.fields.identity?.values, definition.sizes) };
  return optionsOf({ ...definition, options, titles, ...sizes });
}

/** The same map with its earlier names, in their order. @param names today's names by the earlier ones; absent: they are equal */
function renamed<T>(names: EarlierField['values'], today: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  if (names === undefined) return today;
  const known = Object.entries(names).filter(([, same]) => Object.hasOwn(today, same));
  return Object.fromEntries(known.map(([name, same]) => [name, today[same] as T]));
}

export function isOfCatalogue({ resource, definition }: Route): boolean {
  return resource === 'catalogue' && definition === null;
}

/** The body of the catalogue or of one row, as the version has it. */
function earlierRows({ catalogue }: NameTable, body: string): string {
  if (catalogue === undefined) return body;
  const today = JSON.parse(body) as CatalogueRow | readonly CatalogueRow[];
  const rows = new Map([today].flat().map((row) => [row.identity, row]));
  const shown = Object.entries(catalogue).flatMap(([identity, earlier]) => {
    const attributes = Object.entries(rows.get(identity) ?? {}).filter(([name]) => !ROW_KEYS.includes(name as never));
    return earlier !== null && rows.has(identity) ? [{ ...earlier, ...Object.fromEntries(attributes) }] : [];
  });
  return JSON.stringify(Array.isArray(today) ? shown : shown[0]);
}

/** Today's identity of a row; empty, which no identity ever is, if there was no such row. */
export function rowToday({ catalogue = {} }: NameTable, identity: string): string {
  const same = Object.keys(catalogue).find((today) => catalogue[today]?.identity === identity);
  return same ?? (Object.hasOwn(catalogue, identity) ? '' : identity);
}
