// What an edit means to readers of the catalogue: its path, its rows and their attributes.

import { ROW_KEYS } from '../../runtime/contract/catalogue.js';
import { rowsOfModel } from '../emit/catalogue.js';
import type { CatalogueAttribute, Model, ModelCatalogue } from '../model/model.js';
import { draft } from './members.js';
import type { Draft } from './report.js';

/** @returns what changes for callers, in no particular order */
export function catalogueImpact(from: Model, to: Model): readonly Draft[] {
  const [old, now] = [from.catalogue, to.catalogue];
  if (old?.path !== now?.path) return [...operations(old, 'removed'), ...operations(now, 'added')];
  if (old === null || now === null) return [];
  const where = keysOf(now);
  const rows = { from: rowsOf(from), to: rowsOf(to) };
  const attributes = now.attributes.flatMap((attribute) => {
    const before = old.attributes.find(({ name }) => name === attribute.name);
    return before === undefined ? [] : [{ before, attribute, isRetyped: typeOf(before) !== typeOf(attribute) }];
  });
  // Rows are compared by attributes that both sides have, with the same type.
  const lasting = attributes.filter(({ isRetyped }) => !isRetyped).map(({ attribute }) => attribute.name);
  return [
    ...changes([...rows.from.keys()], [...rows.to.keys()], { what: 'row', where: where.slice(0, 1) }),
    ...changes(namesOf(old), namesOf(now), { what: 'attribute', where }),
    ...attributes.flatMap(({ before, attribute, isRetyped }) => (isRetyped ? [changed(before, attribute, where)] : [])),
    ...rowChanges(rows, [...ROW_KEYS, ...lasting]),
  ];
}

function keysOf({ path }: ModelCatalogue): readonly string[] {
  return [`GET ${path}`, `GET ${path}/{identity}`];
}

function operations(catalogue: ModelCatalogue | null, how: 'removed' | 'added'): readonly Draft[] {
  return (catalogue === null ? [] : keysOf(catalogue)).map((key) => {
    const sides = how === 'removed' ? { from: key, to: null } : { from: null, to: key };
    const message = how === 'removed' ? 'is gone' : 'is new';
    const rule = `operation_${how}`;
    return draft({ rule, breaking: how === 'removed', place: `catalogue ${key}`, where: [key], message, ...sides });
  });
}

/** Rows by identity. */
type Rows = ReadonlyMap<string, ReturnType<typeof rowsOfModel>[number]>;

function rowsOf(model: Model): Rows {
  return new Map(rowsOfModel(model).map((row) => [row.identity, row]));
}

function namesOf({ attributes }: ModelCatalogue): readonly string[] {
  return attributes.map(({ name }) => name);
}

interface Kind {
  readonly what: 'row' | 'attribute';
  readonly where: readonly string[];
}

function changes(old: readonly string[], now: readonly string[], { what, where }: Kind): readonly Draft[] {
  const nameDraft = (name: string, how: 'removed' | 'added') =>
    draft({
      rule: `catalogue_${what}_${how}`,
      breaking: how === 'removed',
      place: `catalogue ${name}`,
      where,
      message: `${what} ${name} is ${how === 'removed' ? 'gone' : 'new'}`,
      from: how === 'removed' ? name : null,
      to: how === 'removed' ? null : name,
    });
  return [
    ...old.filter((name) => !now.includes(name)).map((name) => nameDraft(name, 'removed')),
    ...now.filter((name) => !old.includes(name)).map((name) => nameDraft(name, 'added')),
  ];
}

function typeOf({ schema, nullable }: CatalogueAttribute): string {
  return JSON.stringify([schema, nullable]);
}

function changed(before: CatalogueAttribute, now: CatalogueAttribute, where: readonly string[]): Draft {
  return draft({
    rule: 'catalogue_attribute',
    breaking: true,
    place: `catalogue ${now.name}`,
    where,
    message: `attribute ${now.name} holds other values`,
    from: before.schema,
    to: now.schema,
  });
}

/** Never breaking: clients read the catalogue because its rows change. */
function rowChanges(
  { from, to }: { readonly from: Rows; readonly to: Rows },
  keys: readonly string[],
): readonly Draft[] {
  return [...to.values()].flatMap((row) => {
    const before = from.get(row.identity);
    if (before === undefined) return [];
    return keys.flatMap((key) => {
      const [old, now] = [shown(before[key]), shown(row[key])];
      if (old === now) return [];
      const place = `catalogue ${row.identity} ${key}`;
      const where = [`GET ${row._relationships.self}`];
      const message = `${key} ${old} -> ${now}`;
      return [draft({ rule: 'catalogue_row', breaking: false, place, where, message, from: old, to: now })];
    });
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}
