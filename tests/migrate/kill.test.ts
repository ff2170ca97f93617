// A migration killed at every step of every plan in the table of edits: the next run completes it, and no row differs.

import { schemaView } from '../../generator/emit/schema.js';
import { SESSION } from '../../runtime/store/engine-tables.js';
import { tableStatements } from '../../runtime/store/sqlite/tables.js';
import { PAIRS, type Pair, states } from '../evolution/pairs.js';
import { count } from '../support/counts.js';
import { killAndContinue, type PreparedDatabase, prepare } from './kills.js';

/** Concurrent runs, one per processor of a small machine. */
const CONCURRENCY = 2;

/** A database for a pair of schemas that differ; null for others, which have no steps. */
function preparedFor(pair: Pair): PreparedDatabase | null {
  const { old, new: next } = states(pair);
  const [from, to] = [schemaView(old.model), schemaView(next.model)];
  return JSON.stringify(from) === JSON.stringify(to) ? null : prepare(pair.name, from, to, tableStatements(SESSION));
}

/** Every step of every plan; in the short form every step of the longest plan, and a varying step of each other plan. */
function killsOf(all: readonly PreparedDatabase[]): readonly (readonly [PreparedDatabase, number])[] {
  const longest = Math.max(...all.map(({ steps }) => steps));
  return all.flatMap((database, at) =>
    database.steps >= count(longest, 0)
      ? Array.from({ length: database.steps }, (_, step) => [database, step] as const)
      : [[database, (at * 7) % database.steps] as const],
  );
}

describe('killed while migrating', () => {
  test(
    'the next run completes it',
    async () => {
      const pairs = PAIRS.filter((_, at) => at % count(9, 1) === 0);
      const kills = [...killsOf(pairs.flatMap((pair) => preparedFor(pair) ?? []))];
      const done: number[] = [];
      const worker = async (): Promise<void> => {
        for (let kill = kills.shift(); kill !== undefined; kill = kills.shift()) {
          const [database, step] = kill;
          const { signal, left, next, sound } = await killAndContinue(database, step);
          const where = `${database.name}, step ${step} of ${database.steps}`;
          // The last step is reported after the commit.
          const expected = step === database.steps - 1 ? database.after : database.before;
          expect({ where, signal, left, next, sound }).toEqual({
            where,
            signal: 'SIGKILL',
            left: expected,
            next: database.after,
            sound: 'ok',
          });
          done.push(step);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
      expect(done.length).toBeGreaterThanOrEqual(count(15, 700));
    },
    count(300_000, 900_000),
  );
});
