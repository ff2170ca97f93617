// The statements that find the records of every resource that refer to a record (D56).
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Composer } from './access.js';
import { allOf } from './conditions.js';
import type { Dialect } from './dialect.js';
import { incomingReferences } from './referring.js';
import { rowsOf } from './rows.js';
import { VIEWERS, type ViewerName, viewerRight } from './viewers.js';

/** A resource whose records may refer to the record, and a statement for each of its columns that does. */
export interface RecordUse {
  readonly definition: AnyDefinition;
  readonly statements: readonly string[];
  /** The statement that selects which of `@ids` a viewer may read; null: all of them. */
  readableBy(viewer: ViewerName): string | null;
}

export function usesOf(composer: Composer, definition: AnyDefinition): readonly RecordUse[] {
  const { definitions, dialect } = composer;
  const statements = new Map<AnyDefinition, string[]>();
  for (const { child, reference } of incomingReferences(definitions, definition)) {
    statements.set(child, [...(statements.get(child) ?? []), usingStatement(dialect, child, reference.column)]);
  }
  return [...statements].map(([child, all]) => ({
    ...{ definition: child, statements: all },
    readableBy: memoize((viewer) => readableStatement(composer, child, viewer)),
  }));
}

/** The first `@limit` ids after `@after` of records whose column holds `@id`. The index of the column has this order. */
function usingStatement(dialect: Dialect, child: AnyDefinition, column: string): string {
  const where = dialect.where(allOf([`t.${quoted(column)} = @id`, 't."id" > @after']));
  return `SELECT t."id" AS "id" FROM ${rowsOf(child)} WHERE ${where} ORDER BY t."id" LIMIT @limit`;
}

/** Selects which of `@ids`, all placed at `@placement`, a viewer may read; null: all of them. */
function readableStatement(composer: Composer, definition: AnyDefinition, viewer: ViewerName): string | null {
  const { dialect } = composer;
  const access = { right: 'read', alias: 't', ...(dialect.isPlaced ? { placement: '@placement' } : {}) };
  const right = viewerRight(composer, definition, VIEWERS[viewer], access);
  if (right === '1') return null;
  const among = allOf([dialect.placed('t', '@placement'), dialect.isOneOf('t."id"', '@ids')]);
  return `SELECT t."id" AS "id" FROM ${rowsOf(definition)} WHERE ${among} AND ${dialect.where(right)}`;
}
