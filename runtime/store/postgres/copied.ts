// The values that a new record takes from records it refers to, if it brings none of its own.
import type { AnyDefinition, Row } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import { referenceIn } from '../sql/references.js';
import { prepareNamed, type Query, run } from './named.js';
import { idOf, ONE_ROW } from './record-statements.js';
import type { Reading } from './record-text.js';

/** The new row with its copies. Their sources are locked, so that they do not change before the row is committed. */
export type Copied = (query: Query, row: Row) => Promise<Row>;

export function createCopied({ connections }: Reading, definition: AnyDefinition): Copied {
  const copies = Object.entries(definition.columns).flatMap(([name, { copies: from }]) => {
    if (from === undefined) return [];
    const { to } = referenceIn(definition, from.through);
    const sql = `SELECT t.${quoted(from.column)} AS "value" FROM ${quoted(to)} t WHERE ${ONE_ROW} FOR SHARE`;
    return [{ name, through: from.through, statement: prepareNamed(connections, sql) }];
  });
  return async (query, row) => {
    const copied: Row = { ...row };
    for (const { name, through, statement } of copies) {
      const source = row[through];
      if (row[name] !== null || typeof source !== 'string') continue;
      const [found] = await run(query, statement(idOf(source)));
      copied[name] = found?.value ?? null;
    }
    return copied;
  };
}
