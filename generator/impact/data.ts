// The data part of a report: the migration plan, with the rows in its way.

import type { Change, Plan, Risk } from '../../runtime/schema/plan.js';
import type { Schema } from '../../runtime/schema/schema.js';
import type { Draft } from './report.js';

/** @returns number of rows that a query selects; a text, behind `rows`: why they could not be counted */
export type CountRows = (rows: string) => number | string;

interface Schemas {
  readonly from: Schema;
  readonly to: Schema;
}

/**
 * What destroys values and what some row forbids is for a person to decide; the rest a start does by itself.
 * @param count null: no database was given
 */
export function dataImpact(
  { changes, risks, drops }: Plan,
  schemas: Schemas,
  count: CountRows | null,
): readonly Draft[] {
  return [
    ...changes.map((change): Draft => {
      const { class: kind, kind: rule, says } = change;
      const place = placeOf(change);
      const allow = kind === 'destructive' && drops.includes(place) ? `; to apply it, use --allow drop:${place}` : '';
      return {
        part: 'data',
        rule,
        class: kind,
        breaking: kind === 'destructive',
        place,
        where: [place],
        says: `${says}${allow}`,
        ...definitions(change, schemas),
      };
    }),
    ...risks.flatMap((risk) => atRisk(risk, schemas, count)),
  ];
}

function placeOf({ table, column }: Pick<Change, 'table' | 'column'>): string {
  return column === null ? table : `${table}.${column}`;
}

/** The column on both sides, so that a fingerprint holds values and no words. */
function definitions(
  { table, column }: Pick<Change, 'table' | 'column'>,
  { from, to }: Schemas,
): Pick<Draft, 'from' | 'to'> {
  const named = (schema: Schema) =>
    schema.tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
  const number = (named(to) ?? named(from))?.number;
  const defined = (schema: Schema) => {
    const column = schema.tables.flatMap(({ columns }) => columns).find((one) => one.number === number);
    if (number === undefined || column === undefined) return null;
    // Another ledger gives other numbers to the same edit.
    const { number: _, ...rest } = column;
    return rest;
  };
  return { from: defined(from), to: defined(to) };
}

function atRisk(risk: Risk, schemas: Schemas, count: CountRows | null): readonly Draft[] {
  const { says, rows, remedy } = risk;
  const counted = count === null ? 'not counted without --database' : count(rows);
  if (counted === 0) return [];
  const breaking = typeof counted === 'number';
  const number = breaking ? `${counted} ${counted === 1 ? 'row' : 'rows'}` : `rows ${counted}`;
  const place = placeOf(risk);
  return [
    {
      part: 'data',
      rule: 'risk',
      class: breaking ? 'breaking' : 'risk',
      breaking,
      // The number of rows is no part of what is accepted: it changes every day.
      place: `${place} ${says}`,
      where: [place],
      says: `${says}: ${number}; ${remedy}`,
      ...definitions(risk, schemas),
    },
  ];
}
