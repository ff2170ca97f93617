// Copies the rows of a service from one database to another and compares them. After an interruption, a copy continues after
// the last row that the target has.
import { CommandError } from '../contract/command-error.js';
import { type Progress, withProgress } from './progress.js';
import type { Key, TransferRow, TransferSource, TransferTable, TransferTarget } from './transfer.js';

export interface RowCopy {
  readonly source: TransferSource;
  readonly target: TransferTarget;
  readonly progress: Progress;
}

/** @returns the number of rows of the source */
export async function copyRows({ source, target, progress }: RowCopy): Promise<number> {
  let total = 0;
  for (const table of source.tables) {
    const count = await source.count(table);
    total += count;
    if (count === 0) continue;
    await withProgress(progress, { label: table.name, total: count }, () =>
      copyTable({ source, target, progress }, table),
    );
  }
  return total;
}

async function copyTable({ source, target, progress }: RowCopy, table: TransferTable): Promise<void> {
  for await (const rows of source.rows(table, await target.last(table))) {
    await target.write(table, rows);
    progress.advance(rows.length);
  }
}

/**
 * Reads every row back and compares it with the source's, which may have changed since a copy that was killed. Throws
 * CommandError with the first difference.
 */
export async function compareRows({ source, target, progress }: RowCopy): Promise<void> {
  for (const table of source.tables) {
    const part = { label: `${table.name} compared`, total: await source.count(table) };
    await withProgress(progress, part, () => compareTable({ source, target, progress }, table));
  }
}

async function compareTable({ source, target, progress }: RowCopy, table: TransferTable): Promise<void> {
  const sides = [source, target].map((side) => side.rows(table, null)[Symbol.asyncIterator]());
  try {
    for (;;) {
      const [from, to] = await Promise.all(sides.map((side) => side.next()));
      if (from?.done && to?.done) return;
      compareBatches(table, from?.value ?? [], to?.value ?? []);
      progress.advance(from?.value?.length ?? 0);
    }
  } finally {
    for (const side of sides) await side.return?.();
  }
}

/** Batches have the same size on both sides, so that a missing row shows in the first pair that differs. */
function compareBatches(table: TransferTable, from: readonly TransferRow[], to: readonly TransferRow[]): void {
  for (let at = 0; at < Math.max(from.length, to.length); at++) {
    const [one, other] = [from[at], to[at]];
    if (JSON.stringify(one) === JSON.stringify(other)) continue;
    const [ours, theirs] = [keyOf(table, one), keyOf(table, other)];
    throw new CommandError(`the copy differs from its source: ${difference(table, ours, theirs)}; ${WAY_OUT}`);
  }
}

const WAY_OUT = 'nothing uses it yet, so delete the target and copy again';

function difference({ name, key }: TransferTable, ours: Key | null, theirs: Key | null): string {
  const isMissing = ours !== null && (theirs === null || ours < theirs);
  const isSurplus = theirs !== null && (ours === null || theirs < ours);
  if (isMissing) return `${name} lacks the row with ${key} ${ours}`;
  if (isSurplus) return `${name} has a row with ${key} ${theirs} that the source does not have`;
  return `${name} has other values in the row with ${key} ${ours}`;
}

function keyOf({ columns, key }: TransferTable, row: TransferRow | undefined): Key | null {
  return row?.[columns.findIndex(({ name }) => name === key)] ?? null;
}
