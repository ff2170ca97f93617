// The SQL that reads each property of a record: one table row for each storage type and each kind of property.

import type { AnyDefinition, PropertySource, StorageType } from '../../contract/definition.js';
import { literal, quoted, renamedValue } from '../../schema/sql-text.js';
import type { WireFormats } from '../records.js';
import { definitionOf, typeOf } from '../sql/access.js';
import { type AggregatingRow, aggregateSql } from '../sql/aggregates.js';
import { referenceIn } from '../sql/references.js';
import { rowsOf } from '../sql/rows.js';
import { type RecordComposer, shownRight, type Viewer } from '../sql/viewers.js';

/** The row whose properties are read. */
export interface ReadRow extends RecordComposer {
  readonly definition: AnyDefinition;
  readonly viewer: Viewer;
  /** Alias of the row's table in the statement. */
  readonly alias: string;
}

/** The SQL of a property's value, as an argument of json_object. */
export function propertySql(source: PropertySource, row: ReadRow): string {
  // One function per kind; the table's type ties each to its kind's members.
  const write = SOURCES[source.kind] as (source: PropertySource, row: ReadRow) => string;
  return write(source, row);
}

type Kind = PropertySource['kind'];
type Sources = { readonly [K in Kind]: (source: Extract<PropertySource, { kind: K }>, row: ReadRow) => string };

const SOURCES: Sources = {
  column: ({ column, names }, row) => {
    const sql = columnSql(row, column);
    return names ? renamedValue(sql, names).value : STORED[typeOf(row.definition, column)](sql, row.formats);
  },
  bit: ({ column }, row) => columnSql(row, column),
  constant: ({ value }) => literal(value),
  right: ({ right }, row) => `iif(${shownRight(row, row.definition, row.viewer, { right, alias: row.alias })}, 1, 0)`,
  copy: ({ through, column }, row) => {
    const { to } = referenceIn(row.definition, through);
    const from = rowsOf(definitionOf(row.definitions, to), 'c');
    return `(SELECT c.${quoted(column)} FROM ${from} WHERE c."id" = ${columnSql(row, through)})`;
  },
  count: (source, row) => aggregateSql('count(*)', source, aggregating(row)),
  // sum() fails with an integer overflow; total() does not.
  sum: (source, row) => aggregateSql(`CAST(total(c.${quoted(source.column)}) AS INTEGER)`, source, aggregating(row)),
  latest: (source, row) => {
    const value = aggregateSql(`max(c.${quoted(source.column)})`, source, aggregating(row));
    return STORED[typeOf(definitionOf(row.definitions, source.of), source.column)](value, row.formats);
  },
  template: ({ text }, row) => {
    const pieces = text
      .split(/\{(\w+)\}/)
      .map((piece, at) => (at % 2 === 1 ? pieceSql(row, piece) : piece && literal(piece)));
    return pieces.filter(Boolean).join(' || ');
  },
  description: ({ through }, row) => descriptionSql(through, row),
};

/** SQL of a stored value in its JSON form. */
const STORED: Readonly<Record<StorageType, (column: string, formats: WireFormats) => string>> = {
  text: (column) => column,
  integer: (column) => column,
  boolean: (column, formats) => BOOLEANS[formats.boolean](column),
  date: (column, formats) => `strftime('${DATES[formats.date]}', ${column} / 1000.0, 'unixepoch')`,
  json: (column) => `json(${column})`,
};

const DATES: Readonly<Record<WireFormats['date'], string>> = {
  iso: '%Y-%m-%dT%H:%M:%fZ',
  seconds: '%Y-%m-%d %H:%M:%S',
};

const BOOLEANS: Readonly<Record<WireFormats['boolean'], (column: string) => string>> = {
  // The outermost call must be json(): SQLite forgets that a value is JSON once it has passed a CASE.
  boolean: (column) => `json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`,
  number: (column) => column,
};

/** A value within a template's text; a date appears as its day, which is the same in every wire format. */
function pieceSql(row: ReadRow, column: string): string {
  const sql = columnSql(row, column);
  return typeOf(row.definition, column) === 'date' ? `strftime('%Y-%m-%d', ${sql} / 1000.0, 'unixepoch')` : sql;
}

function aggregating(row: ReadRow): AggregatingRow {
  return { ...row, id: columnSql(row, 'id'), placement: '' };
}

function columnSql({ alias }: ReadRow, column: string): string {
  return `${alias}.${quoted(column)}`;
}

/** A brief description within another one is null, so that two resources may describe each other. */
function descriptionSql(through: string, row: ReadRow): string {
  if (row.alias === DESCRIBED) return 'NULL';
  const definition = definitionOf(row.definitions, referenceIn(row.definition, through).to);
  const inner = { ...row, definition, alias: DESCRIBED };
  const pairs = definition.brief.map((name) => {
    const property = definition.properties[name];
    return `${literal(name)}, ${property ? propertySql(property, inner) : 'NULL'}`;
  });
  const from = `${rowsOf(definition, DESCRIBED)} WHERE ${DESCRIBED}."id" = ${columnSql(row, through)}`;
  return `json((SELECT json_object(${pairs.join(', ')}) FROM ${from}))`;
}

const DESCRIBED = 'd';
