// The lists in which API keys name the resources that their tokens reach: a rename of a resource changes them, too. Pure.

import { API_KEYS, MODULES } from '../contract/needs.js';
import { kindsOf } from './conversions.js';
import type { Column, Table } from './schema.js';

/** What becomes of a name in the lists; null: it is taken out, since another resource has it now. */
export interface NameChange {
  readonly from: string;
  readonly to: string | null;
}

interface TableChanges {
  readonly kept: readonly { readonly from: Table; readonly to: Table }[];
  readonly added: readonly Table[];
  readonly dropped: readonly Table[];
}

/**
 * The names that change, all replaced at once, since tables may swap names. A key may also list a name that no table has any
 * more: if another table takes that name, the key must not reach it.
 */
export function nameChanges({ kept, added, dropped }: TableChanges): readonly NameChange[] {
  const renamed = kept.flatMap(({ from, to }) => (from.name === to.name ? [] : [{ from: from.name, to: to.name }]));
  const replaced = added.map(({ name }) => name).filter((name) => dropped.some((table) => table.name === name));
  const taken = [...renamed.map(({ to }) => to), ...replaced];
  const others = taken.filter((name) => renamed.every(({ from }) => from !== name));
  return [...renamed, ...others.map((from) => ({ from, to: null }))];
}

/** Whether the column is such a list: only keys of users, and only keys that have tokens, are used so. */
export function listsResources({ name: table, columns }: Table, column: Column): boolean {
  if (table !== API_KEYS || !LISTS.includes(column.name) || !kindsOf(column).includes('json')) return false;
  const isOwned = columns.some(({ name, references }) => name === 'user_id' && references !== null);
  return isOwned && columns.some(({ kind }) => kind === 'token');
}

/** The changes of the elements as a list's JSON has them. */
export function elementChanges(names: readonly NameChange[]): readonly NameChange[] {
  return names.map(({ from, to }) => ({ from: JSON.stringify(from), to: to && JSON.stringify(to) }));
}

const LISTS = MODULES.flatMap(({ resources }) =>
  Object.entries(resources['@keys']?.fields ?? {}).flatMap(([field, { lists }]) => (lists ? [field] : [])),
);
