// Finds records by the beginning of a text: in an index if a descriptor says `find`, otherwise among the first rows. Operators
// search with it, and their pages read the texts of records by their ids.
import type { AnyDefinition, Row } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { FoundRecords, Search } from '../records.js';
import { awaitAll, type Pending, type Queries } from '../unit.js';
import type { Composer } from './access.js';
import { rowsOf } from './rows.js';

/** The number of rows searched for a text without an index: about 1 ms on SQLite. */
export const SCANNED_RECORDS = 2000;

/** The last of all characters: each text that begins with a prefix sorts before that prefix followed by this character. */
const LAST = '\u{10ffff}';

/** The spellings to search for, at most as many as `SPELLINGS`, since an index distinguishes capitals from small letters. */
function spellingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, capital, text.toUpperCase()])];
}

/** The numbers of the spellings in a statement, however many are needed, so that its text stays the same. */
const SPELLINGS = [0, 1, 2, 3];

/** The records in which a column begins with the text, in the order of columns and texts. */
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
    SPELLINGS.flatMap((at) => {
      const from = spellings[at] ?? text;
      return [
        [`from${at}`, from],
        [`to${at}`, from + LAST],
      ];
    }),
  );
  const byScan = others.map((column) => queries.rows(amongFirst(dialect, definition, column), { ...bound, limit }));
  const beyond = others.length === 0 ? [] : [queries.rows(afterFirst(definition), {})];
  const matches = yield* awaitAll([...byIndex, ...byScan]);
  const [more = []] = yield* awaitAll(beyond);
  const ids = [...new Set(matches.flat().map(({ id }) => String(id)))];
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
  const first = `SELECT t."id", ${text} FROM ${rowsOf(definition)} ORDER BY ${dialect.keyOrder('t')} LIMIT ${SCANNED_RECORDS}`;
  const within = SPELLINGS.map((at) => `(${text} >= @from${at} AND ${text} < @to${at})`).join(' OR ');
  return `SELECT t."id" AS "id" FROM (${first}) t WHERE ${within} ORDER BY ${text}, t."id" LIMIT @limit`;
}

/** The statement returns a row if there are more rows than are searched. */
function afterFirst(definition: AnyDefinition): string {
  return `SELECT 1 AS "one" FROM ${rowsOf(definition)} LIMIT 1 OFFSET ${SCANNED_RECORDS}`;
}

/** The id and some columns of the records that exist. */
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
