// The names of the records to which others refer: one read for each resource, however many there are.

import type { AnyDefinition } from '../../contract/definition.js';
import type { Records } from '../../store/records.js';
import { nameColumn } from './wording.js';

/** The name of a record; null: it has none, or the record no longer exists. */
export type NameLookup = (resource: string, id: string) => string | null;

/** Reads the names of records by their resources and ids, regardless of who may see them. */
export type Names = (wanted: Iterable<readonly [resource: string, id: unknown]>) => Promise<NameLookup>;

export const NO_NAMES: NameLookup = () => null;

interface NameSource {
  readonly store: Pick<Records, 'texts'>;
  find(resource: string): AnyDefinition | undefined;
}

export function createNames({ store, find }: NameSource): Names {
  return async (wanted) => {
    const ids = new Map<string, Set<string>>();
    for (const [resource, id] of wanted) {
      if (typeof id !== 'string' || id === '') continue;
      ids.set(resource, (ids.get(resource) ?? new Set()).add(id));
    }
    const reads = [...ids].map(async ([resource, all]) => [resource, await namesOf(resource, [...all])] as const);
    const names = new Map(await Promise.all(reads));
    return (resource, id) => names.get(resource)?.get(id) ?? null;
  };

  async function namesOf(resource: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const definition = find(resource);
    const column = definition === undefined ? null : nameColumn(definition);
    if (column === null) return new Map();
    const rows = await store.texts(resource, [column], ids);
    return new Map(
      rows.flatMap((row) =>
        row[column] === null || row[column] === '' ? [] : [[String(row.id), String(row[column])]],
      ),
    );
  }
}

/**
 * The resource to which the id in a property refers; null: the property is not a reference. Where a reference can lead to several
 * resources, another property, `<name>_class`, holds the one it leads to.
 */
export function referenceOf(
  { references, properties }: AnyDefinition,
  record: Readonly<Record<string, unknown>>,
  name: string,
): string | null {
  const property = properties[name];
  const shown = property?.kind === 'column' ? property.column : name;
  const reference = references.find(({ column }) => column === shown);
  if (reference !== undefined) return reference.to;
  const ownerClass = name.endsWith('_id') ? record[name.replace(/_id$/, '_class')] : null;
  return typeof ownerClass === 'string' ? ownerClass.toLowerCase() : null;
}

/** The records to which a record refers, by resource and id. */
export function* referredBy(
  definition: AnyDefinition,
  record: Readonly<Record<string, unknown>>,
): Iterable<readonly [string, unknown]> {
  for (const [name, value] of Object.entries(record)) {
    const to = referenceOf(definition, record, name);
    if (to !== null) yield [to, value];
    if (Array.isArray(value)) yield* value.slice(0, MOST_ITEMS).flatMap(idsIn);
  }
}

/** The most items of a list within a record whose names are read. */
const MOST_ITEMS = 100;

/** The keys of an item name the resources to which it refers: `game_id`. */
function idsIn(item: unknown): readonly (readonly [string, unknown])[] {
  if (typeof item !== 'object' || item === null) return [];
  return Object.entries(item).flatMap(([key, id]) => (key.endsWith('_id') ? [[key.replace(/_id$/, ''), id]] : []));
}
