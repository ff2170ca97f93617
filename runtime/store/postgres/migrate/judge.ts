// Judges the rows that a query selects against a JSON Schema, which PostgreSQL cannot do; a few rows at a time.
import type { Judged } from '../../../schema/postgres/risks.js';
import { createJsonJudge } from '../../json-fits.js';
import type { Query, Row } from '../connections.js';
import { transaction } from './transaction.js';

const ROWS_AT_A_TIME = 500;

/** The rows whose `value` does not fit. @param select SQL of rows with a `value` */
export async function misfits(query: Query, select: string, { schema, json }: Judged): Promise<readonly Row[]> {
  const fits = createJsonJudge();
  const text = JSON.stringify(schema);
  const found: Row[] = [];
  await transaction(query, async () => {
    await query(`DECLARE judged CURSOR FOR ${select}`);
    for (;;) {
      const rows = await query(`FETCH ${ROWS_AT_A_TIME} FROM judged`);
      found.push(...rows.filter(({ value }) => !fits(text, json ? String(value) : JSON.stringify(value))));
      if (rows.length < ROWS_AT_A_TIME) return;
    }
  });
  return found;
}
