// Reads one record, its rights and its row, and writes rows: the statements of one definition, each prepared once per
// connection. The caller passes the function that runs them: a transaction's, or that of the connections.

import type { AnyDefinition, Row, Scalar } from '../../contract/definition.js';
import { idOf, placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import { VERSION } from '../../schema/version.js';
import type { Reader } from '../records/reads.js';
import type { Caller, Lookup, Permission, RequestedRelations } from '../records.js';
import { relationsOf } from '../relations.js';
import { denial, KNOWN_RIGHTS, lookupRight, permissionOf } from '../sql/permission.js';
import { insertStatement, updateStatement } from '../sql/row-statements.js';
import { rowsOf } from '../sql/rows.js';
import { VIEWERS, type ViewerName, viewerRight, viewerWithScope, visibility } from '../sql/viewers.js';
import { createChangedColumns } from '../sql/write-plan.js';
import { fromPromise, type LockFor } from '../unit.js';
import { type NamedValues, prepareNamed, type Query, run } from './database.js';
import { type ReadContext, recordTexts, selectList } from './record-text.js';

export interface RecordStatements {
  /** The record as `caller` sees it, or the reason why not. */
  get(query: Query, id: string, caller: Caller, want?: RequestedRelations): Promise<Lookup>;
  /** The JSON text for one kind of viewer; null if the viewer may not read the record, undefined if it does not exist. */
  text(query: Query, viewer: ViewerName, id: string, user: string | null): Promise<string | null | undefined>;
  /** The same for a stored row, which is read again only if the text needs more than its columns. */
  textOf(query: Query, viewer: ViewerName, row: Row, user: string | null): Promise<string | null | undefined>;
  /** Whether the caller holds a right (`read`, `edit` or `editor`, `admin`, or a named right), or the reason why not. */
  permission(query: Query, right: string, id: string, caller: Caller): Promise<Permission>;
  exists(query: Query, id: string): Promise<boolean>;
  row(query: Query, id: string): Promise<Row | undefined>;
  /** Locks the row against changes until the end of the transaction; with `delete`, also against new references to it. */
  lock(query: Query, id: string, to: LockFor): Promise<Row | undefined>;
  /** Stores a new row, with a statement that is sent before it returns; rejects with the engine's errors. */
  insert(query: Query, row: Row): Promise<void>;
  /** Changes these columns of the stored row with its id to those of `row`, as `insert` does. */
  update(query: Query, row: Row, changed: readonly string[]): Promise<void>;
}

/** Reads records of another resource; statements are composed at first use, since resources refer to each other. */
export type StatementsOf = (resource: string) => RecordStatements;

/** The condition for the row of an id, on the shard that the id names. */
export const ONE_ROW = `t.${quoted(SHARD)} = @placement AND t."id" = @id`;

export function createRecordStatements(
  reading: ReadContext,
  definition: AnyDefinition,
  statementsOf: StatementsOf,
): RecordStatements {
  const from = `FROM ${rowsOf(definition)} WHERE ${ONE_ROW}`;
  const prepare = memoize((sql: string) => prepareNamed(reading.connections, sql));
  const one = async (query: Query, sql: string, bound: NamedValues) =>
    (await reading.run(query, prepare(sql), bound))[0];
  const row = `SELECT ${[...Object.keys(definition.columns), VERSION]
    .map((column) => `t.${quoted(column)}`)
    .join(', ')} ${from}`;
  const locking: Readonly<Record<LockFor, string>> = {
    change: `${row}${reading.dialect.lock('change')}`,
    delete: `${row}${reading.dialect.lock('delete')}`,
  };
  const rights = memoize((right: string) => {
    const access = { right, alias: 't', placement: '@placement' };
    const sql = KNOWN_RIGHTS[right] ?? viewerRight(reading, definition, VIEWERS.session, access);
    return `SELECT ${reading.dialect.flag(sql)} AS "held" ${from}`;
  });
  const held = async (query: Query, right: string, id: string, { user }: Caller): Promise<unknown> =>
    (await one(query, rights(right), { ...idOf(id), user }))?.held;
  const writing = createChangedColumns(definition);
  const insert = insertStatement(reading.dialect, definition);
  const updates = memoize((columns: string) => updateStatement(reading.dialect, definition, columns.split(' ')));
  const read = createRead(reading, definition, statementsOf);

  return {
    async get(query, id, caller, want) {
      const record = await read.record(query, id, {
        viewer: viewerWithScope(caller),
        user: caller.user,
        want: want ?? NOTHING,
      });
      if (record === undefined) return { found: false, code: 'not_found' };
      const { text, version, objects, links } = record;
      if (text === null) return { found: false, code: denial(definition, caller) };
      return { found: true, text, version, objects, links };
    },
    text: read.text,
    textOf: read.textOf,
    async permission(query, right, id, caller) {
      const answer = await held(query, lookupRight(right, caller), id, caller);
      const isSeen = answer === 1 || !definition.access.hidden || (await held(query, 'read', id, caller)) === 1;
      return permissionOf(caller, answer, isSeen);
    },
    exists: async (query, id) => (await one(query, `SELECT 1 AS "one" ${from}`, idOf(id))) !== undefined,
    row: async (query, id) => (await one(query, row, idOf(id))) as Row | undefined,
    lock: async (query, id, to) => (await one(query, locking[to], idOf(id))) as Row | undefined,
    insert: async (query, values) => void (await run(query, prepare(insert)(boundOf(values)))),
    async update(query, values, changed) {
      const columns = writing(changed);
      if (columns.length > 0) await run(query, prepare(updates(columns.join(' ')))(boundOf(values)));
    },
  };
}

/** A reader that runs each statement on its own. */
export function readsOf(statements: RecordStatements, query: Query): Omit<Reader, 'definition' | 'list'> {
  return {
    get: (...asked) => statements.get(query, ...asked),
    permission: (...asked) => statements.permission(query, ...asked),
    row: (id) => statements.row(query, id),
    text: (...shown) => fromPromise(statements.text(query, ...shown)),
  };
}

const NOTHING: RequestedRelations = { objects: [], links: false };

interface ReadBy {
  readonly viewer: ViewerName;
  readonly user: string | null;
  readonly want: RequestedRelations;
}
type FoundRow = { readonly text: string | null } & Omit<Extract<Lookup, { found: true }>, 'found' | 'text'>;
interface RecordReads extends Pick<RecordStatements, 'text' | 'textOf'> {
  /** Undefined: there is no such record. */
  record(query: Query, id: string, by: ReadBy): Promise<FoundRow | undefined>;
}

function createRead(reading: ReadContext, definition: AnyDefinition, statementsOf: StatementsOf): RecordReads {
  const relations = relationsOf(definition);
  const statements = memoize((key: `${ViewerName} ${boolean}`) => {
    const [viewer = 'anonymous', related] = key.split(' ') as [ViewerName, string];
    const texts = recordTexts(reading, definition, viewer, '@placement');
    const right = readRight(reading, definition, viewer);
    const more = {
      ...right,
      '@version': `t.${quoted(VERSION)}`,
      ...(related === 'true' ? relationColumns(reading, definition, viewer) : {}),
    };
    const columns = [texts.selected, selectList(more)].filter((list) => list !== '').join(', ');
    const sql = `SELECT ${columns} FROM ${rowsOf(definition)} WHERE ${ONE_ROW}`;
    const isOfRow = texts.isOfRow && Object.keys(right).length === 0;
    return { texts, isOfRow, statement: prepareNamed(reading.connections, sql) };
  });
  const record: RecordReads['record'] = async (query, id, { viewer, user, want }) => {
    const { texts, statement } = statements(`${viewer} ${want.links || want.objects.length > 0}`);
    const [row] = await reading.run(query, statement, { ...idOf(id), user });
    if (row === undefined) return undefined;
    if (row['@read'] === 0 || row['@read'] === null) return { text: null, version: 0, objects: [], links: {} };
    const known = relations.flatMap(({ name, to }) => {
      const other = row[`@${name} id`];
      return typeof other === 'string' && row[`@${name}`] === 1 ? [{ name, to, id: other }] : [];
    });
    const wanted = known.filter(({ name }) => want.objects.includes(name));
    const [[text = null], ...others] = await Promise.all([
      texts.texts(query, [row], user),
      ...wanted.map((other) => statementsOf(other.to).text(query, viewer, other.id, user)),
    ]);
    return {
      text,
      version: Number(row['@version']),
      objects: others.flatMap((other, at) =>
        typeof other === 'string' ? [{ name: wanted[at]?.name ?? '', text: other }] : [],
      ),
      links: want.links ? Object.fromEntries(known.map((other) => [other.name, other.id])) : {},
    };
  };
  const text: RecordReads['text'] = async (query, viewer, id, user) =>
    (await record(query, id, { viewer, user, want: NOTHING }))?.text;
  return {
    record,
    text,
    async textOf(query, viewer, row, user) {
      const { texts, isOfRow } = statements(`${viewer} false`);
      return isOfRow ? (await texts.texts(query, [row], user))[0] : text(query, viewer, String(row.id), user);
    },
  };
}

function readRight(
  reading: ReadContext,
  definition: AnyDefinition,
  viewer: ViewerName,
): Readonly<Record<string, string>> {
  const read = viewerRight(reading, definition, VIEWERS[viewer], {
    right: 'read',
    alias: 't',
    placement: '@placement',
  });
  return read === '1' ? {} : { '@read': reading.dialect.flag(read) };
}

/** The id of each relation, and whether the viewer may know it. */
function relationColumns(
  reading: ReadContext,
  definition: AnyDefinition,
  viewer: ViewerName,
): Readonly<Record<string, string>> {
  const columns = relationsOf(definition).flatMap(({ name, column, view }) => {
    // `created` only concerns the response that creates the record, which includes no related records.
    const visible = visibility(reading, definition, VIEWERS[viewer], { view, alias: 't', placement: '@placement' });
    return [
      [`@${name}`, reading.dialect.flag(visible)],
      [`@${name} id`, `t.${quoted(column)}`],
    ];
  });
  return Object.fromEntries(columns);
}

function boundOf(row: Row): NamedValues {
  return { ...(row as Readonly<Record<string, Scalar>>), placement: placementOf(String(row.id)) };
}
