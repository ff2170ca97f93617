// Reads one record, its rights, its row and its references: the statements of one definition, each prepared once.

import type Database from 'better-sqlite3';
import type { AnyDefinition, Row, Scalar } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { VERSION } from '../../schema/version.js';
import type { Caller, Lookup, Permission, RequestedRelations } from '../records.js';
import { denial, KNOWN_RIGHTS, lookupRight, permissionOf } from '../sql/permission.js';
import { insertStatement, updateStatement } from '../sql/row-statements.js';
import { rowsOf, tableFor } from '../sql/rows.js';
import { type RecordComposer, VIEWERS, type ViewerName, viewerRight, viewerWithScope } from '../sql/viewers.js';
import { createChangedColumns } from '../sql/write-plan.js';
import { SQLITE } from './dialect.js';
import { constraintError } from './engine-error.js';
import { recordStatement } from './record-text.js';
import { createReadRelated, type RecordWithRelated } from './related-records.js';
import { createWriteWords } from './words.js';

export interface RecordStatements {
  /** The record as `caller` sees it, or the reason why not. */
  get(id: string, caller: Caller, want?: RequestedRelations): Lookup;
  /** The JSON text for one kind of viewer; null if the viewer may not read the record, undefined if it does not exist. */
  text(viewer: ViewerName, id: string, user: string | null): string | null | undefined;
  /** Whether the caller holds a right (`read`, `edit` or `editor`, `admin`, or a named right), or the reason why not. */
  permission(right: string, id: string, caller: Caller): Permission;
  exists(id: string): boolean;
  row(id: string): Row | undefined;
  /** Stores a new row. Throws the failure of a field for a broken constraint, as `update` does. */
  insert(row: Row): void;
  /** Changes these columns of the stored row with its id to those of `row`. */
  update(row: Row, changed: readonly string[]): void;
  delete(id: string): void;
}

type IdAndUser = { readonly id: string; readonly user: string | null };

/** The statements are prepared at their first use, and kept. */
export function createRecordStatements(
  db: Database.Database,
  composing: RecordComposer,
  definition: AnyDefinition,
): RecordStatements {
  const texts = memoize((viewer: ViewerName) =>
    db
      .prepare<IdAndUser, TextAndVersion>(
        recordStatement(composing, definition, VIEWERS[viewer], { besides: [VERSION] }),
      )
      .raw(),
  );
  const rights = memoize((right: string) => {
    const sql = KNOWN_RIGHTS[right] ?? viewerRight(composing, definition, VIEWERS.session, { right, alias: 't' });
    return db.prepare<IdAndUser, number | null>(`SELECT ${sql} FROM ${rowsOf(definition)} WHERE t."id" = @id`).pluck();
  });
  const one = memoize((sql: string) => db.prepare<unknown[], Row>(sql));
  const insert = insertStatement(SQLITE, definition);
  const writing = createChangedColumns(definition);
  const updates = memoize((columns: string) =>
    db.prepare<Readonly<Record<string, Scalar>>>(updateStatement(SQLITE, definition, columns.split(' '))),
  );
  const words = createWriteWords(db, definition);
  const ofId = `FROM ${rowsOf(definition)} WHERE t."id" = ?`;
  const remove = `DELETE FROM ${tableFor(definition)} WHERE "id" = ?`;
  const text: RecordStatements['text'] = (viewer, id, user) => texts(viewer).get({ id, user })?.[0];
  const related = createReadRelated(db, composing, definition);

  return {
    text,
    get(id, caller, want) {
      const reader = { viewer: viewerWithScope(caller), user: caller.user };
      const read =
        want === undefined ? textAlone(texts(reader.viewer).get({ id, user: reader.user })) : related(id, reader, want);
      if (read === undefined) return { found: false, code: 'not_found' };
      if (read.text === null) return { found: false, code: denial(definition, caller) };
      return { found: true, text: read.text, version: read.version, objects: read.objects, links: read.links };
    },
    permission(right, id, caller) {
      const values = { id, user: caller.user };
      const answer = rights(lookupRight(right, caller)).get(values);
      const isSeen = answer === 1 || !definition.access.hidden || rights('read').get(values) === 1;
      return permissionOf(caller, answer, isSeen);
    },
    exists: (id) => one(`SELECT 1 ${ofId}`).get(id) !== undefined,
    row: (id) => one(`SELECT t.* ${ofId}`).get(id),
    insert(row: Readonly<Record<string, Scalar>>) {
      try {
        one(insert).run(row);
        words?.add(String(row.id));
      } catch (error) {
        throw constraintError(error, definition);
      }
    },
    update(row: Readonly<Record<string, Scalar>>, changed) {
      const columns = writing(changed);
      try {
        if (columns.length > 0) updates(columns.join(' ')).run(row);
        words?.change(String(row.id), changed);
      } catch (error) {
        throw constraintError(error, definition);
      }
    },
    delete: (id) => void one(remove).run(id),
  };
}

const NO_OBJECTS: RecordWithRelated['objects'] = [];
const NO_LINKS: RecordWithRelated['links'] = {};

type TextAndVersion = readonly [text: string | null, version: number];

function textAlone(read: TextAndVersion | undefined): RecordWithRelated | undefined {
  return read === undefined ? undefined : { text: read[0], version: read[1], objects: NO_OBJECTS, links: NO_LINKS };
}
