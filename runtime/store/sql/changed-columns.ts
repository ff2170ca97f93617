// The sets of columns for which there is a statement that changes them.
import type { AnyDefinition } from '../../definition.js';

/** How many sets of one definition have a statement of their own; beyond that, all columns are written. */
const SETS = 64;

/** Columns that never change. */
const FIXED: readonly string[] = ['id', 'date_created'];

/** From the columns whose values change to those that are written, in the order of the table. */
export function createChangedColumns({ columns }: AnyDefinition): (changed: readonly string[]) => readonly string[] {
  const all = Object.keys(columns).filter((name) => !FIXED.includes(name));
  const known = new Set<string>();
  return (changed) => {
    const writing = all.filter((name) => changed.includes(name));
    const key = writing.join(' ');
    if (!known.has(key) && known.size >= SETS) return all;
    known.add(key);
    return writing;
  };
}
