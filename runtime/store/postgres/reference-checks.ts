// Reads the targets of a change's references, to judge them by sql/reference-rules. A target with another placement is locked:
// no foreign key prevents its deletion before this change is committed.
import type { AnyDefinition, Reference, Row } from '../../definition.js';
import type { Failure } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import type { Change } from '../records.js';
import {
  createSentReferences,
  ownerStatement,
  referenceFailures,
  type Target,
  targetStatement,
} from '../sql/reference-rules.js';
import { isInside } from '../sql/references.js';
import { type NamedStatement, prepareNamed, type Query, run } from './named.js';
import { idOf } from './record-statements.js';
import type { Reading } from './record-text.js';

/** Every failure of the references of a change; `row` is the stored row, null on create. */
export type ReferenceChecks = (query: Query, change: Change, row: Row | null) => Promise<readonly Failure[]>;

/** The checks of one definition; an unchanged reference is not checked again. */
export function createReferenceChecks(reading: Reading, definition: AnyDefinition): ReferenceChecks {
  const { connections, definitions } = reading;
  const prepare = memoize((sql: string) => prepareNamed(connections, sql));
  const statements = new Map<Reference, NamedStatement>();
  const targetOf = (reference: Reference): NamedStatement => {
    const lock = isInside(definition, reference.column) ? '' : ' FOR KEY SHARE OF t';
    const statement = statements.get(reference) ?? prepare(`${targetStatement(reading, definition, reference)}${lock}`);
    statements.set(reference, statement);
    return statement;
  };
  const owner = ownerStatement(reading, definition);
  const ownerOf = async (query: Query, row: Row): Promise<string | null> => {
    const [found] = await run(query, prepare(owner)(idOf(String(row.id))));
    return (found?.owner ?? null) as string | null;
  };

  const sentReferences = createSentReferences(definition);

  return async (query, change, row) => {
    const sent = sentReferences(change, row);
    if (sent.length === 0) return [];
    const { user } = change.caller;
    const record = row === null ? null : String(row.id);
    const reads = sent.map(async (one) => {
      const { reference, id, inTree } = one;
      const [[target], ring] = await Promise.all([
        reading.run(query, targetOf(reference), { ...idOf(id), user, record }),
        inTree ? run(query, prepare(ringStatement(definition, reference))({ ...idOf(id), record })) : [],
      ]);
      return { ...one, target: target as unknown as Target | undefined, ring: ring.length > 0 };
    });
    const [stored, ...found] = await Promise.all([row ? ownerOf(query, row) : undefined, ...reads]);
    return referenceFailures(definitions, definition, change, { owner: stored, found });
  };
}

/** Whether the path upwards from `@id`, along a reference to its own resource, reaches `@record`. */
function ringStatement(definition: AnyDefinition, { column }: Reference): string {
  const [table, shard, parent] = [definition.name, SHARD, column].map(quoted);
  const placement = isInside(definition, column) ? '@placement' : 'left(up.id, 2)';
  return (
    `WITH RECURSIVE up (id) AS (SELECT @id::text COLLATE "C" UNION SELECT t.${parent} FROM ${table} t ` +
    `JOIN up ON t.${shard} = ${placement} AND t."id" = up.id WHERE t.${parent} IS NOT NULL) ` +
    'SELECT 1 AS "one" FROM up WHERE id = @record'
  );
}
