// Replaces the names in a part of a resource by the ledger's numbers, which survive renames, or by the names of a version (D68).

import { isMap } from '../../runtime/contract/is-map.js';
import { orderTerm } from '../../runtime/schema/order.js';
import { choicesOf, columnOf, resourceLookup } from './find.js';
import type { Model, Resource } from './model.js';

/** What replaces names. */
export interface Naming<N = string | number> {
  resource(name: string): N;
  column(resource: string, name: string): N;
  /** @param value a name, or anything else that the column holds */
  value(resource: string, column: string, value: unknown): unknown;
  /** Replaces a column in the braces of a text. */
  inText(resource: string, column: string): N;
}

/** The numbers of the ledger; a name without a number stays. */
export function numbersIn(model: Pick<Model, 'resources'>): Naming {
  const { find } = resourceLookup(model);
  const column = (resource: string, name: string) => columnOf(find(resource), name)?.number ?? name;
  return {
    resource: (name) => find(name)?.number ?? name,
    column,
    value: (resource, name, value) =>
      choicesOf(columnOf(find(resource), name)).find((choice) => choice.name === value)?.number ?? value,
    inText: column,
  };
}

type NameUse = 'own' | 'about' | 'resource' | 'where' | 'text' | 'rights';

/**
 * The keys whose values hold names, by what they name: a column of the resource itself or of the resource that the part is about,
 * a resource, columns with their values, columns in the braces of a text. The names of rights are not replaced.
 */
const KEYS: Readonly<Record<NameUse, readonly string[]>> = {
  own: ['through', 'in', 'when', 'columns', 'existing', 'order', 'sortable', 'filters', 'ranges', 'search'],
  about: ['column', 'by', 'user'],
  resource: ['of', 'to', 'member', 'resource'],
  where: ['where', 'sets', 'titles'],
  text: ['text'],
  rights: ['rights'],
};

const USES = Object.keys(KEYS) as readonly NameUse[];

/** @param own the resource that has the part @returns the part with the names of `naming` */
export function renamed<T>(part: T, own: Pick<Resource, 'name' | 'references'>, naming: Naming): T {
  const texts: Readonly<Partial<Record<NameUse, (text: string, about: string) => unknown>>> = {
    own: (text) => renamedTerm(text, own.name, naming),
    about: (text, about) => renamedTerm(text, about, naming),
    resource: (text) => naming.resource(text),
    text: (text) => text.replace(/\{(\w+)\}/g, (_, name: string) => `{${naming.inText(own.name, name)}}`),
  };
  const within = (inner: unknown, use: NameUse | undefined, about: string): unknown => {
    if (typeof inner === 'string') return (use && texts[use])?.(inner, about) ?? inner;
    if (Array.isArray(inner)) return inner.map((one) => within(one, use, about));
    if (!isMap(inner)) return inner;
    if (use === 'where') return renamedWhere(inner, about, naming);
    const copied = 'column' in inner ? own.references.find(({ column }) => column === inner.through)?.to : undefined;
    const other = String(inner.of ?? inner.member ?? inner.resource ?? copied ?? own.name);
    const all = Object.entries(inner).map(([key, one]) => [
      key,
      within(one, use === 'rights' ? undefined : USES.find((of) => KEYS[of].includes(key)), other),
    ]);
    return Object.fromEntries(all);
  };
  return within(part, undefined, own.name) as T;
}

function renamedTerm(term: string, resource: string, naming: Naming): string | number {
  const { name, descending } = orderTerm(term);
  const other = naming.column(resource, name);
  return descending ? `-${other}` : other;
}

/** Values of columns, or a map by values for each column. */
function renamedWhere(where: Readonly<Record<string, unknown>>, resource: string, naming: Naming): unknown {
  const all = Object.entries(where).map(([column, one]) => [
    naming.column(resource, column),
    isMap(one)
      ? renamedKeys(one, (value) => naming.value(resource, column, value))
      : naming.value(resource, column, one),
  ]);
  return Object.fromEntries(all);
}

/** The map with other keys. */
export function renamedKeys<T>(all: Readonly<Record<string, T>>, rename: (key: string) => unknown) {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [String(rename(key)), one]));
}
