// Turns each property of a record into JSON text: one table row for each storage type and each kind of property. The engine, not
// SQL, writes the text, because what a record shows of another placement comes from a separate statement.

import type { AnyDefinition, PropertySource, Scalar, StorageType } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { WireFormats } from '../records.js';
import { definitionOf, typeOf } from '../sql/access.js';
import { type AggregatingRow, aggregateSql } from '../sql/aggregates.js';
import { isInside, referenceIn } from '../sql/references.js';
import { rowsOf } from '../sql/rows.js';
import { type RecordComposer, shownRight, type Viewer } from '../sql/viewers.js';

/** The row whose properties are shown; its alias is `t`. */
export interface ShownRow extends RecordComposer {
  readonly definition: AnyDefinition;
  readonly viewer: Viewer;
  /** SQL of its placement: `@placement` if all rows of a statement have the same placement, so that it reads one shard. */
  readonly placement: string;
  /** True: the text is a brief description, in which nested ones are null, since two resources may describe each other. */
  readonly isDescription: boolean;
}

/** The source of a property in a record that may have another placement. */
export interface ReferencedColumn {
  /** The column that holds the id of that record. */
  readonly through: string;
  readonly resource: string;
  /** Null: the brief description of that record. */
  readonly column: string | null;
}

export interface ShownProperty {
  /** The expressions to select, by the names of their columns. */
  readonly selected: Readonly<Record<string, string>>;
  readonly elsewhere: ReferencedColumn | null;
  /** Its JSON text. @param found the text from elsewhere; null: there is none */
  text(row: Readonly<Record<string, Scalar>>, found: string | null): string;
}

export function shownProperty(name: string, source: PropertySource, row: ShownRow): ShownProperty {
  // One function per kind; the table's type ties each to its kind's members.
  const show = SOURCES[source.kind] as (source: PropertySource, row: ShownRow, name: string) => ShownProperty;
  return show(source, row, name);
}

export const NO_PROPERTY: ShownProperty = { selected: {}, elsewhere: null, text: () => 'null' };

/** JSON of a text, a number or null. */
export function jsonOf(value: Scalar | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null || value === undefined ? 'null' : String(value);
}

type Kind = PropertySource['kind'];
type Sources = {
  readonly [K in Kind]: (source: Extract<PropertySource, { kind: K }>, row: ShownRow, name: string) => ShownProperty;
};

const SOURCES: Sources = {
  column: ({ column, names = [] }, { definition, formats }) => {
    const shown = STORED[typeOf(definition, column)];
    const named = (value: Scalar) => names.find(({ from }) => from === value)?.to ?? value;
    return selecting({ [column]: columnSql(column) }, (row) => shown(named(row[column] ?? null), formats));
  },
  bit: ({ column }) => selecting({ [column]: columnSql(column) }, (row) => jsonOf(row[column])),
  constant: ({ value }) => selecting({}, () => JSON.stringify(value)),
  right: ({ right }, row, name) => {
    const { definition, viewer, placement, dialect } = row;
    const held = shownRight(row, definition, viewer, { right, alias: 't', placement });
    if (held === '0' || held === '1') return selecting({}, () => held);
    return selecting({ [derived(name)]: dialect.flag(held) }, (values) => (values[derived(name)] === 1 ? '1' : '0'));
  },
  copy: ({ through, column }, row, name) => {
    const { to } = referenceIn(row.definition, through);
    if (!isInside(row.definition, through)) return fromElsewhere({ through, resource: to, column });
    const one = `${row.dialect.placed('c', row.placement)} AND c."id" = ${columnSql(through)}`;
    const sql = `(SELECT c.${quoted(column)} FROM ${rowsOf(definitionOf(row.definitions, to), 'c')} WHERE ${one})`;
    return selecting({ [derived(name)]: sql }, (values) => jsonOf(values[derived(name)]));
  },
  count: (source, row, name) => aggregated(name, aggregateSql('count(*)', source, aggregating(row))),
  sum: (source, row, name) =>
    aggregated(name, aggregateSql(`coalesce(sum(c.${quoted(source.column)}), 0)`, source, aggregating(row))),
  latest: (source, row, name) => {
    const shown = STORED[typeOf(definitionOf(row.definitions, source.of), source.column)];
    const sql = aggregateSql(`max(c.${quoted(source.column)})`, source, aggregating(row));
    return selecting({ [derived(name)]: sql }, (values) => shown(values[derived(name)] ?? null, row.formats));
  },
  template: ({ text }, { definition }) => {
    const pieces = text.split(/\{(\w+)\}/);
    const columns = pieces.filter((_, at) => at % 2 === 1);
    const selected = Object.fromEntries(columns.map((column) => [column, columnSql(column)]));
    return selecting(selected, (row) => {
      const values = pieces.map((piece, at) => (at % 2 === 1 ? inText(definition, piece, row[piece]) : piece));
      return values.includes(null) ? 'null' : JSON.stringify(values.join(''));
    });
  },
  description: ({ through }, { definition, isDescription }) =>
    isDescription
      ? NO_PROPERTY
      : fromElsewhere({ through, resource: referenceIn(definition, through).to, column: null }),
};

/** A value within a template's text; a date appears as its day, which is the same in every wire format. */
function inText(definition: AnyDefinition, column: string, value: Scalar | undefined): Scalar {
  if (typeOf(definition, column) !== 'date' || value === null || value === undefined) return value ?? null;
  return typeof value === 'number' && hasFourDigits(value) ? new Date(value).toISOString().slice(0, 10) : null;
}

/** JSON of a stored value. */
const STORED: Readonly<Record<StorageType, (value: Scalar, formats: WireFormats) => string>> = {
  text: jsonOf,
  integer: jsonOf,
  boolean: (value, formats) => BOOLEANS[formats.boolean](value),
  date: (value, formats) => (typeof value === 'number' && hasFourDigits(value) ? DATES[formats.date](value) : 'null'),
  json: (value) => (typeof value === 'string' ? value : 'null'),
};

const DATES: Readonly<Record<WireFormats['date'], (time: number) => string>> = {
  iso: (time) => `"${new Date(time).toISOString()}"`,
  seconds: (time) => `"${new Date(time).toISOString().slice(0, 19).replace('T', ' ')}"`,
};

const BOOLEANS: Readonly<Record<WireFormats['boolean'], (value: Scalar) => string>> = {
  boolean: (value) => (value === 1 ? 'true' : value === 0 ? 'false' : 'null'),
  number: jsonOf,
};

const YEAR_0 = Date.UTC(2000, 0) - 2000 * 365.2425 * 86_400_000;
const YEAR_10000 = Date.UTC(10_000, 0);

/** Neither format can write a date of another year. */
function hasFourDigits(time: number): boolean {
  return time >= YEAR_0 && time < YEAR_10000;
}

function selecting(selected: ShownProperty['selected'], text: ShownProperty['text']): ShownProperty {
  return { selected, elsewhere: null, text };
}

function fromElsewhere(elsewhere: ReferencedColumn): ShownProperty {
  const { through } = elsewhere;
  return { selected: { [through]: columnSql(through) }, elsewhere, text: (_, found) => found ?? 'null' };
}

function aggregating(row: ShownRow): AggregatingRow {
  return { ...row, id: columnSql('id') };
}

/** Shows a whole number, which PostgreSQL may return as a text. */
function aggregated(name: string, sql: string): ShownProperty {
  return selecting({ [derived(name)]: sql }, (values) => String(values[derived(name)]));
}

function columnSql(column: string): string {
  return `t.${quoted(column)}`;
}

/** No column has this name. */
function derived(name: string): string {
  return `=${name}`;
}
