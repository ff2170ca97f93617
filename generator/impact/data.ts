// The data part of a report: the migration plan, and the rows that would block it.

import type { Change } from '../../runtime/schema/plan.js';
import type { Schema } from '../../runtime/schema/schema.js';
import type { SqlitePlan } from '../../runtime/schema/sqlite/plan.js';
import { droppedRowsSql, type SqliteRisk } from '../../runtime/schema/sqlite/risks.js';
import type { Draft } from './report.js';

/** @returns the number of rows that a query selects, or why they could not be counted, as a text that follows `rows` */
export type CountRows = (rows: string) => number | string;

interface Schemas {
  readonly from: Schema;
  readonly to: Schema;
}

/**
 * A person has to decide about lost values and blocking rows; the server does the rest when it starts.
 * @param count null if no database was named
 */
export function dataImpact(
  { changes, risks, drops }: SqlitePlan,
  schemas: Schemas,
  count: CountRows | null,
): readonly Draft[] {
  return [
    ...changes.map((change): Draft => {
      const { class: kind, kind: rule, says: message } = change;
      const place = placeOf(change);
      const lost = kind === 'destructive' && count !== null ? lostText(change, schemas, count) : '';
      const allow = kind === 'destructive' && drops.includes(place) ? `; to apply it, use --allow drop:${place}` : '';
      return {
        part: 'data',
        rule,
        class: kind,
        breaking: kind === 'destructive',
        place,
        where: [place],
        message: `${message}${lost}${allow}`,
        ...definitions(change, schemas),
      };
    }),
    ...risks.flatMap((risk) => riskFindings(risk, schemas, count)),
  ];
}

/** `: 12 rows`, the number of rows that would lose a value or be deleted. */
function lostText(change: Change, schemas: Schemas, count: CountRows): string {
  const losing = droppedRowsSql(change, schemas);
  if (losing === null) return '';
  const rows = count(losing);
  return `: ${typeof rows === 'string' ? `rows ${rows}` : `${rows} ${rows === 1 ? 'row' : 'rows'}`}`;
}

function placeOf({ table, column }: Pick<Change, 'table' | 'column'>): string {
  return column === null ? table : `${table}.${column}`;
}

/** The column on both sides, so that a fingerprint depends on values and not on wording. */
function definitions(
  { table, column }: Pick<Change, 'table' | 'column'>,
  { from, to }: Schemas,
): Pick<Draft, 'from' | 'to'> {
  const columnIn = (schema: Schema) =>
    schema.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
  const number = (columnIn(to) ?? columnIn(from))?.number;
  const definitionIn = (schema: Schema) => {
    const column = schema.tables.flatMap(({ columns }) => columns).find((one) => one.number === number);
    if (number === undefined || column === undefined) return null;
    // Another ledger would give the same edit other numbers.
    const { number: _, ...rest } = column;
    return rest;
  };
  return { from: definitionIn(from), to: definitionIn(to) };
}

function riskFindings(risk: SqliteRisk, schemas: Schemas, count: CountRows | null): readonly Draft[] {
  const { says: problem, rows, remedy, harmless = false } = risk;
  const rowCount = count === null ? 'not counted without --database' : count(rows);
  if (rowCount === 0) return [];
  const breaking = typeof rowCount === 'number';
  const number = breaking ? `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}` : `rows ${rowCount}`;
  const place = placeOf(risk);
  return [
    {
      part: 'data',
      rule: 'risk',
      class: harmless ? 'safe' : breaking ? 'breaking' : 'risk',
      breaking: breaking && !harmless,
      // The number of rows is not part of what is accepted: it changes every day.
      place: `${place} ${problem}`,
      where: [place],
      message: `${problem}: ${number}; ${remedy}`,
      ...definitions(risk, schemas),
    },
  ];
}
