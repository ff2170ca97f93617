// Statements that count the records deleted with a record, resource by resource: all records whose references cascade to it,
// however deep (D33).
import type { AnyDefinition } from '../../contract/definition.js';
import { quoted } from '../../schema/sql-text.js';
import type { Composer } from './access.js';
import { allOf } from './conditions.js';
import { isInside } from './references.js';
import { type IncomingReference, incomingReferences } from './referring.js';
import { rowsOf } from './rows.js';

/** Counts the records of a resource that are deleted with a record, over `@id` and its `@placement`. */
export interface CountStatement {
  readonly resource: string;
  readonly sql: string;
}

export function countRemovedWith(composer: Composer, definition: AnyDefinition): readonly CountStatement[] {
  const chains = new Map<string, string[]>();
  const follow = (parent: AnyDefinition, ids: string, above: readonly AnyDefinition[]): void => {
    for (const referring of incomingReferences(composer.definitions, parent)) {
      const { child, reference } = referring;
      if (reference.onDelete !== 'cascade' || above.includes(child)) continue;
      const childIds = idsOf(composer, referring, ids);
      chains.set(child.name, [...(chains.get(child.name) ?? []), childIds]);
      follow(child, `IN (${childIds})`, [...above, child]);
    }
  };
  follow(definition, '= @id', [definition]);
  return [...chains].map(([resource, selects]) => ({
    resource,
    sql: `SELECT count(*) AS "count" FROM (${selects.join(' UNION ')}) r`,
  }));
}

/** @param parents the condition on the ids of the parents, to follow the column */
function idsOf({ dialect }: Composer, { child, reference: { column } }: IncomingReference, parents: string): string {
  const placed = isInside(child, column) ? dialect.placed('t', '@placement') : '1';
  const where = dialect.where(allOf([placed, `t.${quoted(column)} ${parents}`]));
  return `SELECT t."id" AS "id" FROM ${rowsOf(child)} WHERE ${where}`;
}
