// Reads the targets of a change's references, to judge them by sql/reference-rules.
import type Database from 'better-sqlite3';
import type { AnyDefinition, Reference, Row, Scalar } from '../../definition.js';
import type { Failure } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Change } from '../records.js';
import type { Composer } from '../sql/access.js';
import {
  createSentReferences,
  ownerStatement,
  referenceFailures,
  type Target,
  targetStatement,
} from '../sql/reference-rules.js';

/** Returns every failure of the references of a change; `row` is the stored row, null on create. */
export type ReferenceChecks = (change: Change, row: Row | null) => Failure[];

type Bound = { readonly id: string; readonly user: string | null; readonly record: string | null };

/** The checks of one definition; an unchanged reference is not checked again. */
export function createReferenceChecks(
  db: Database.Database,
  composer: Composer,
  definition: AnyDefinition,
): ReferenceChecks {
  const statements = new Map<Reference, Database.Statement<Bound, Target>>();
  const find = (reference: Reference, by: Bound): Target | undefined => {
    const known = statements.get(reference);
    const statement = known ?? db.prepare<Bound, Target>(targetStatement(composer, definition, reference));
    statements.set(reference, statement);
    return statement.get(by);
  };
  const ownerOf = createOwnerOf(db, composer, definition);
  const climbs = createClimbs(db, definition);
  const sentReferences = createSentReferences(definition);

  return (change, row) => {
    const { user } = change.caller;
    const record = row === null ? null : String(row.id);
    // Without spreading one object into another, which takes 2.8 of the 23 microseconds of a create without HTTP.
    const found = sentReferences(change, row).map(({ reference, id, inTree }) => ({
      reference,
      id,
      inTree,
      target: find(reference, { id, user, record }),
      ring: inTree && climbs(reference.column, id, String(row?.id)),
    }));
    const owner = row ? ownerOf(row) : undefined;
    return referenceFailures(composer.definitions, definition, change, { owner, found });
  };
}

function createOwnerOf(db: Database.Database, composer: Composer, definition: AnyDefinition) {
  const sql = ownerStatement(composer, definition);
  const statement = memoize((text: string) => db.prepare<{ id: Scalar }, string | null>(text).pluck());
  return (row: Row): string | null => statement(sql).get({ id: row.id ?? null }) ?? null;
}

/** Whether the path upwards from `from`, along a reference to its own resource, reaches `id`. */
function createClimbs(db: Database.Database, definition: AnyDefinition) {
  const statements = memoize((column: string) =>
    db
      .prepare<[string, string], number>(
        `WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT t.${quoted(column)} FROM ${quoted(definition.name)} t ` +
          `JOIN up ON t."id" = up.id WHERE t.${quoted(column)} IS NOT NULL) SELECT 1 FROM up WHERE id = ?`,
      )
      .pluck(),
  );
  return (column: string, from: string, id: string): boolean => statements(column).get(from, id) === 1;
}
