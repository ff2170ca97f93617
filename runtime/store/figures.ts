// The figures of each hour are kept in a ring of 30 days: an hour reuses the row of the hour 30 days earlier.
// All servers that share a database add to the same rows.

import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Dialect } from './sql/dialect.js';
import type { Database } from './unit.js';

export interface HourFigures {
  /** Start of the hour, in epoch milliseconds. */
  readonly at: number;
  readonly requests: number;
  readonly failures: number;
  /** The total time of the requests. */
  readonly milliseconds: number;
  /** The highest use of memory, in bytes. */
  readonly memory: number;
}

export interface FigureLog {
  /** Adds the figures to the hour of their `at`. */
  addFigures(figures: HourFigures): Promise<void>;
  /** Oldest first. */
  figures(since: number): MaybePromise<readonly HourFigures[]>;
}

const HOUR = 3_600_000;
/** The span of the ring in milliseconds. */
export const MONTH = 30 * 24 * HOUR;

/** All rows are on one shard. */
const PLACEMENT = '00';

export function createFigureLog({ dialect, read, write }: Database): FigureLog {
  const { add, page } = figureStatements(dialect);
  return {
    async addFigures({ at, ...figures }) {
      const hour = Math.floor(at / HOUR);
      const slot = `${PLACEMENT}${hour % (MONTH / HOUR)}`;
      await write(add, { placement: PLACEMENT, slot, at: hour * HOUR, ...figures });
    },
    figures: (since) =>
      read(function* (queries) {
        return (yield* queries.rows(page, { placement: PLACEMENT, since })) as unknown as readonly HourFigures[];
      }),
  };
}

export function figureStatements(dialect: Dialect) {
  const old = (column: string) => `CASE WHEN f.at = excluded.at THEN f.${column} ELSE 0 END`;
  const sum = (column: string) => `${column} = ${old(column)} + excluded.${column}`;
  const all = ['at = excluded.at', ...['requests', 'failures', 'milliseconds'].map(sum)];
  const most = `memory = ${dialect.greatest(old('memory'), 'excluded.memory')}`;
  const columns = ['slot', 'at', 'requests', 'failures', 'milliseconds', 'memory'];
  return {
    add:
      `${dialect.insertInto('hour_figure AS f', columns)} ON CONFLICT (${dialect.key('slot')}) ` +
      `DO UPDATE SET ${[...all, most].join(', ')}`,
    page:
      'SELECT f.at, f.requests, f.failures, f.milliseconds, f.memory FROM hour_figure f ' +
      `WHERE ${dialect.where(dialect.placed('f', '@placement'))} AND f.at >= @since ORDER BY f.at`,
  };
}
