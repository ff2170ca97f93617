// Reads one record, its rights, its row and its references: the statements of one definition, each prepared once.
import type Database from 'better-sqlite3';
import type { AnyDefinition, Row, Scalar } from '../../definition.js';
import type { ErrorCode } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/ddl.js';
import type { Caller, Found, Permission } from '../store.js';
import { type Composing, recordStatement, VIEWERS, type ViewerName, viewerRight } from './record-text.js';
import { insertStatement, updateStatement } from './row-statements.js';

export interface Records {
  /** The record as `caller` sees it, or why not. */
  get(id: string, caller: Caller): Found;
  /** Its JSON text for one kind of viewer; null where the viewer may not read it, undefined where there is none. */
  text(viewer: ViewerName, id: string, user: string | null): string | null | undefined;
  /** Whether the caller holds a right (`read`, `edit` or `editor`, `admin`, or a named one), or why not. */
  permission(right: string, id: string, caller: Caller): Permission;
  /** The ids that its related references hold, by relation. */
  links(id: string): Record<string, string | null>;
  exists(id: string): boolean;
  row(id: string): Row | undefined;
  /** Stores a new row; throws the engine's errors. */
  insert(row: Row): void;
  /** Stores the row in place of the one with its id. */
  update(row: Row): void;
  delete(id: string): void;
}

type IdAndUser = { readonly id: string; readonly user: string | null };

/** The statements are prepared when first used, and kept. */
export function createRecords(db: Database.Database, composing: Composing, definition: AnyDefinition): Records {
  const table = quoted(definition.name);
  const texts = memoize((viewer: ViewerName) =>
    db.prepare<IdAndUser, string | null>(recordStatement(composing, definition, VIEWERS[viewer])).pluck(),
  );
  const rights = memoize((right: string) => {
    const sql = KNOWN_RIGHTS[right] ?? viewerRight(composing, definition, VIEWERS.session, right);
    return db.prepare<IdAndUser, number | null>(`SELECT ${sql} FROM ${table} t WHERE t."id" = @id`).pluck();
  });
  const held: Held = (right, id, user) => rights(right).get({ id, user });
  const one = memoize((sql: string) => db.prepare<unknown[], Row>(sql));
  const [insert, update] = [insertStatement(definition), updateStatement(definition)];
  const find = `SELECT 1 FROM ${table} WHERE "id" = ?`;
  const text: Records['text'] = (viewer, id, user) => texts(viewer).get({ id, user });
  const linksSql = linksStatement(definition);

  return {
    text,
    get(id, caller) {
      const found = text(viewerOf(caller), id, caller.user);
      if (typeof found === 'string') return { found: true, text: found };
      return { found: false, code: found === undefined ? 'not_found' : denial(definition, caller) };
    },
    permission: createPermission(definition, held),
    links: (id) => ((linksSql && one(linksSql).get(id)) ?? {}) as Record<string, string | null>,
    exists: (id) => one(find).get(id) !== undefined,
    row: (id) => one(`SELECT * FROM ${table} WHERE "id" = ?`).get(id),
    insert: (row: Readonly<Record<string, Scalar>>) => void one(insert).run(row),
    update: (row: Readonly<Record<string, Scalar>>) => void one(update).run(row),
    delete: (id) => void one(`DELETE FROM ${table} WHERE "id" = ?`).run(id),
  };
}

/** What somebody is told who may not read a record that exists. */
function denial(
  definition: AnyDefinition,
  caller: Caller,
): Extract<ErrorCode, 'not_found' | 'forbidden' | 'login_required'> {
  if (definition.access.hidden) return 'not_found';
  return caller.user === null ? 'login_required' : 'forbidden';
}

/** The kind of viewer a caller is to a record that is fetched. */
export function viewerOf(caller: Caller): 'anonymous' | 'session' | 'admin' {
  if (caller.admin) return 'admin';
  return caller.user === null ? 'anonymous' : 'session';
}

/** One column per related reference; null where there is none. */
function linksStatement(definition: AnyDefinition): string | null {
  const related = definition.references.filter((reference) => reference.related);
  if (related.length === 0) return null;
  const columns = related.map(({ column, relation }) => `${quoted(column)} AS ${quoted(relation)}`);
  return `SELECT ${columns.join(', ')} FROM ${quoted(definition.name)} WHERE "id" = ?`;
}

/** 1 where a caller who is no administrator holds the right; undefined where there is no such record. */
type Held = (right: string, id: string, user: string | null) => number | null | undefined;

const KNOWN_RIGHTS: Readonly<Record<string, string>> = { admin: '0', '@exists': '1' };
const SAME_RIGHT: Readonly<Record<string, string>> = { editor: 'edit' };

function createPermission(definition: AnyDefinition, held: Held): Records['permission'] {
  return (right, id, caller) => {
    const answer = held(caller.admin ? '@exists' : (SAME_RIGHT[right] ?? right), id, caller.user);
    if (answer === 1) return { allowed: true };
    const unseen = definition.access.hidden && held('read', id, caller.user) !== 1;
    if (answer === undefined || unseen) return { allowed: false, code: 'not_found' };
    return { allowed: false, code: caller.user === null ? 'login_required' : 'forbidden' };
  };
}
