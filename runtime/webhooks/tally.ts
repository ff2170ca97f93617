// Counts the rows of a table that may be large: in slices, so that no single look takes long.
import type { Database } from 'better-sqlite3';

/** How one figure of a slice is found, and how those of two slices become one. */
export interface Figure {
  /** An aggregate; may name `@now`. Null counts as nothing found. */
  readonly sql: string;
  readonly merge: (one: number, other: number) => number;
}

export interface Tally<Name extends string> {
  /** Exact for a table of at most one slice; of a larger one, what the last whole count found. */
  figures(now: number): Readonly<Record<Name, number>>;
  /** Counts one slice more. @returns true: the count is not yet whole */
  step(now: number): boolean;
}

/** Rows of a slice. */
export const SLICE = 5_000;

/** The figure is a sum over all rows. @param condition SQL that says which rows count; all unless given */
export function counted(condition = '1'): Figure {
  return { sql: `count(*) FILTER (WHERE ${condition})`, merge: (one, other) => one + other };
}

/** The figure is the smallest value; Infinity where there is none. */
export function smallest(column: string, condition: string): Figure {
  return { sql: `coalesce(min(${column}) FILTER (WHERE ${condition}), 9e999)`, merge: Math.min };
}

interface Place {
  readonly rows: number;
  readonly last: string | null;
}

/** @param table one whose key is the text `id` */
export function createTally<Name extends string>(
  db: Database,
  table: string,
  wanted: Readonly<Record<Name, Figure>>,
): Tally<Name> {
  type Figures = Record<Name, number>;
  const names = Object.keys(wanted) as Name[];
  const columns = names.map((name) => `${wanted[name].sql} AS ${name}`).join(', ');
  const slice = db.prepare<{ after: string; now: number }, Place & Figures>(
    `SELECT count(*) AS rows, max(id) AS last, ${columns}
     FROM (SELECT * FROM ${table} WHERE id > @after ORDER BY id LIMIT ${SLICE}) WHERE @now IS NOT NULL`,
  );
  const merged = (one: Figures | null, other: Figures): Figures => {
    if (one === null) return other;
    const pairs = names.map((name) => [name, wanted[name].merge(one[name], other[name])]);
    return Object.fromEntries(pairs) as Figures;
  };
  let whole: Figures | null = null;
  let sum: Figures | null = null;
  let after = '';
  return {
    figures(now) {
      const first = slice.get({ after: '', now }) as Place & Figures;
      return first.rows < SLICE ? first : (whole ?? first);
    },
    step(now) {
      const found = slice.get({ after, now }) as Place & Figures;
      sum = merged(sum, found);
      after = found.last ?? '';
      if (found.rows === SLICE) return true;
      [whole, sum, after] = [sum, null, ''];
      return false;
    },
  };
}
