// Checks the rows that a query selects, a few at a time: whether they are JSON and fit a JSON Schema, which PostgreSQL cannot do.
import type { JsonCheck } from '../../../schema/postgres/risks.js';
import { createJsonValidator, isJson } from '../../json-validator.js';
import { runAsync } from '../../unit.js';
import type { Query, Row, Value } from '../connections.js';
import { sessionOf } from '../session.js';

/** The rows whose `value` does not fit. @param select SQL of rows with a `value` */
export async function findInvalidRows(query: Query, select: string, jsonCheck: JsonCheck): Promise<readonly Row[]> {
  const fits = validatorOf(jsonCheck);
  const unfit: Row[] = [];
  const collect = (rows: readonly Row[]): void => {
    unfit.push(...rows.filter(({ value }) => !fits(value ?? null)));
  };
  await runAsync(sessionOf(query).each(select, collect));
  return unfit;
}

/** Returns a function that checks a value. */
export function validatorOf({ schema, json }: JsonCheck): (value: Value) => boolean {
  if (schema === null) return (value) => isJson(String(value));
  const fits = createJsonValidator();
  const text = JSON.stringify(schema);
  return (value) => fits(text, json ? String(value) : JSON.stringify(value));
}
