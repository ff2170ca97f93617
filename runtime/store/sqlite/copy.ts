// Copies a record and what belongs to it, as synchronous steps inside a savepoint of the group commit.

import type { Behaviours } from '../../behaviour.js';
import type { AnyDefinition, Row } from '../../definition.js';
import { throwAll } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { quoted } from '../../schema/sql-text.js';
import type { Action, Created } from '../records.js';
import { definitionOf } from '../sql/access.js';
import { type CopiedPart, copiedParts, copiesLeft, type Original, planCopy } from '../sql/copy-plan.js';
import { NOTHING_MADE } from '../sql/made.js';
import { actionNamed, secretOf, shown } from '../sql/write-steps.js';
import type { RecordStatements } from './record-statements.js';
import { permittedRow, type StoreContext, type Writes } from './writes.js';

/** Throws ServiceError, and the savepoint rolls back what was written. */
export type Copy = (resource: string, id: string, action: Action) => Created;

/** What copies of a resource need of it. */
export interface CopiedResource {
  readonly definition: AnyDefinition;
  readonly statements: RecordStatements;
  readonly writes: Writes;
}

export function createCopy(
  context: StoreContext,
  behaviours: Behaviours,
  at: (resource: string) => CopiedResource,
): Copy {
  const read = createReadOriginals(context);
  const random = secretOf(context);
  return (resource, id, action) => {
    const { definition, statements } = at(resource);
    const { name, caller, failures, now } = action;
    const { declared } = actionNamed(definition, {}, name);
    const row = permittedRow(definition, statements, { id, right: declared.by, caller });
    // Only now: callers without the right must not learn what is wrong with the parameters.
    throwAll(failures);
    const originals = read({ definition, row });
    const copy = planCopy(originals, { action, behaviours, ids: context.ids, random });
    for (const { definition: of, plan } of copy.writes) {
      at(of.name).writes.carryOut(plan, { author: caller.author, action: name, now }, NOTHING_MADE.rows);
    }
    const viewer = caller.admin ? 'adminCreator' : 'creator';
    const text = shown(statements.text(viewer, copy.id, caller.user));
    return { id: copy.id, text, records: originals.length };
  };
}

/** The record, and then everything that is copied with it. */
function createReadOriginals({ db, composer: { definitions } }: StoreContext) {
  const parts = memoize((resource: string) =>
    copiedParts(definitions, definitionOf(definitions, resource)).map((part) => {
      return { ...part, statement: db.prepare<{ ids: string; limit: number }, Row>(rowsOf(part)) };
    }),
  );
  return (root: Original): readonly Original[] => {
    const originals = [root];
    for (const { definition, of, statement } of parts(root.definition.name)) {
      const ids = originals.flatMap((one) => (one.definition.name === of ? [one.row.id] : []));
      if (ids.length === 0) continue;
      const rows = statement.all({ ids: JSON.stringify(ids), limit: copiesLeft(originals) });
      originals.push(...rows.map((row) => ({ definition, row })));
    }
    copiesLeft(originals);
    return originals;
  };
}

function rowsOf({ definition, by }: CopiedPart): string {
  const among = `${quoted(by)} IN (SELECT value FROM json_each(@ids))`;
  return `SELECT * FROM ${quoted(definition.name)} WHERE ${among} ORDER BY "id" LIMIT @limit`;
}
