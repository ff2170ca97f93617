// What operators find records by: the beginning of a text, in an index where a descriptor says `find`, and otherwise in a bounded
// number of rows; and the texts of records by their ids.
import type { AnyDefinition, Row } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { FoundRecords, Search } from '../records.js';
import { answers, type Pending, type Queries } from '../unit.js';
import type { Composer } from './access.js';
import { rowsOf } from './rows.js';

/** Rows of a resource in which a text without an index is looked for: about 1 ms on SQLite. */
export const LOOKED_AT = 2000;

/** The last character of all: what begins with a text comes before the text followed by it. */
const LAST = '\u{10ffff}';

/** The ways in which people write what they look for; an index tells capitals from small letters. */
function spellingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, capital, text.toUpperCase()])];
}

/** The records whose texts begin with one, by column, in the order of the texts. */
export function* findRecords(
  { dialect }: Composer,
  queries: Queries,
  definition: AnyDefinition,
  { text, columns, limit }: Search,
): Pending<FoundRecords> {
  const { finds = [] } = definition;
  const indexed = columns.filter((column) => finds.includes(column));
  const others = columns.filter((column) => !finds.includes(column));
  const spellings = spellingsOf(text);
  const byIndex = indexed.flatMap((column) =>
    spellings.map((from) => queries.rows(inIndex(dialect, definition, column), { from, to: from + LAST, limit })),
  );
  const bound = Object.fromEntries(
    ['0', '1', '2', '3'].flatMap((at) => {
      const from = spellings[Number(at)] ?? text;
      return [
        [`from${at}`, from],
        [`to${at}`, from + LAST],
      ];
    }),
  );
  const byLooking = others.map((column) => queries.rows(amongFirst(dialect, definition, column), { ...bound, limit }));
  const beyond = others.length === 0 ? [] : [queries.rows(afterFirst(definition), {})];
  const found = yield* answers([...byIndex, ...byLooking]);
  const [more = []] = yield* answers(beyond);
  const ids = [...new Set(found.flat().map(({ id }) => String(id)))];
  return { ids: ids.slice(0, limit), isComplete: more.length === 0 };
}

type Dialect = Composer['dialect'];

function inIndex(dialect: Dialect, definition: AnyDefinition, column: string): string {
  const text = `t.${quoted(column)}`;
  const within = `${text} >= @from AND ${text} < @to`;
  return `SELECT t."id" AS "id" FROM ${rowsOf(definition)} WHERE ${within} ORDER BY ${dialect.ordered(text, false)}, t."id" LIMIT @limit`;
}

function amongFirst(dialect: Dialect, definition: AnyDefinition, column: string): string {
  const text = `t.${quoted(column)}`;
  const first = `SELECT t."id", ${text} FROM ${rowsOf(definition)} ORDER BY ${dialect.keyOrder('t')} LIMIT ${LOOKED_AT}`;
  const within = ['0', '1', '2', '3'].map((at) => `(${text} >= @from${at} AND ${text} < @to${at})`).join(' OR ');
  return `SELECT t."id" AS "id" FROM (${first}) t WHERE ${within} ORDER BY ${text}, t."id" LIMIT @limit`;
}

/** A row if there are more than are looked at. */
function afterFirst(definition: AnyDefinition): string {
  return `SELECT 1 AS "one" FROM ${rowsOf(definition)} LIMIT 1 OFFSET ${LOOKED_AT}`;
}

/** The id and these columns of the records that there are. */
export function textsOf(
  { dialect }: Composer,
  queries: Queries,
  definition: AnyDefinition,
  { columns, ids }: { readonly columns: readonly string[]; readonly ids: readonly string[] },
): Pending<readonly Row[]> {
  const selected = ['id', ...columns].map((column) => `t.${quoted(column)} AS ${quoted(column)}`).join(', ');
  const sql = `SELECT ${selected} FROM ${rowsOf(definition)} WHERE ${dialect.among('t', '@ids')}`;
  return queries.rows(sql, { ids: JSON.stringify(ids) });
}
