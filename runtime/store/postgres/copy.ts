// Copies a record and what belongs to it, in one transaction on one shard.
import type { Behaviours } from '../../behaviour.js';
import type { Reference, Row } from '../../definition.js';
import { ServiceError, throwAll } from '../../errors.js';
import { memoize } from '../../memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { quoted } from '../../schema/sql-text.js';
import type { Action, Created } from '../records.js';
import { definitionOf } from '../sql/access.js';
import { type CopiedPart, type CopyWrite, copiedParts, copiesLeft, type Original, planCopy } from '../sql/copy-plan.js';
import { isInside } from '../sql/references.js';
import { actionNamed, secretOf, shown } from '../sql/write-steps.js';
import { byPlacement } from './by-placement.js';
import { prepareNamed, type Query, run } from './named.js';
import { idOf } from './record-statements.js';
import type { Reading } from './record-text.js';
import type { Transaction } from './store-row.js';
import {
  audit,
  inTransaction,
  NOTHING_WRONG,
  permittedRow,
  publishAll,
  type StoreContext,
  type Writer,
  type Written,
} from './writes.js';

/** Rejects with ServiceError, and leaves nothing then. */
export type Copy = (resource: string, id: string, action: Action) => Promise<Created>;

export function createCopy(
  context: StoreContext,
  behaviours: Behaviours,
  writerOf: (resource: string) => Writer,
): Copy {
  const read = createReadOriginals(context.reading);
  const lock = createLockTargets(context.reading);
  const random = secretOf(context);
  return async (resource, id, action) => {
    const writer = writerOf(resource);
    const { definition, records } = writer;
    const { name, caller, failures } = action;
    const { declared } = actionNamed(definition, {}, name);
    const carryOut = async (transaction: Transaction): Promise<Written<Created>> => {
      const { query } = transaction;
      const row = await permittedRow(writer, query, { id, right: declared.by, caller }, 'change');
      // Only now: callers without the right must not learn what is wrong with the parameters.
      throwAll(failures);
      const originals = await lock(query, await read(query, { definition, row }));
      const copy = planCopy(originals, { action, behaviours, ids: context.ids, random });
      const ends: (() => void)[] = [];
      for (const one of copy.writes) ends.push(await stored(writerOf(one.definition.name), transaction, one, action));
      const viewer = caller.admin ? 'adminCreator' : 'creator';
      const text = shown(await records.text(query, viewer, copy.id, caller.user));
      const committed = () => {
        for (const end of ends) end();
      };
      return { result: { id: copy.id, text, records: originals.length }, committed };
    };
    return inTransaction(writer, NOTHING_WRONG, (transaction) =>
      context.writeOnce(transaction.query, action, () => carryOut(transaction)),
    );
  };
}

/** @returns what to call once the transaction is committed */
async function stored(
  writer: Writer,
  transaction: Transaction,
  { plan }: CopyWrite,
  { name, caller, now }: Action,
): Promise<() => void> {
  const { query } = transaction;
  const row = plan.guard === null ? await writer.copied(query, plan.row) : plan.row;
  writer.store(transaction, { ...plan, row });
  await audit(writer, query, { ...caller, action: name, now, old: plan.guard, row });
  return publishAll(writer, query, plan.events, now);
}

/** The record, and then everything that is copied with it. */
function createReadOriginals({ connections, definitions }: Reading) {
  const parts = memoize((resource: string) =>
    copiedParts(definitions, definitionOf(definitions, resource)).map((part) => {
      return { ...part, statement: prepareNamed(connections, rowsOf(part)) };
    }),
  );
  return async (query: Query, root: Original): Promise<readonly Original[]> => {
    const originals = [root];
    const { placement } = idOf(String(root.row.id));
    for (const { definition, of, statement } of parts(root.definition.name)) {
      const ids = originals.flatMap((one) => (one.definition.name === of ? [String(one.row.id)] : []));
      if (ids.length === 0) continue;
      const rows = await run(query, statement({ placement, ids, limit: copiesLeft(originals) }));
      originals.push(...rows.map((row) => ({ definition, row: row as Row })));
    }
    copiesLeft(originals);
    return originals;
  };
}

function rowsOf({ definition: { name, columns }, by }: CopiedPart): string {
  const selected = Object.keys(columns).map((column) => `t.${quoted(column)}`);
  const among = `t.${quoted(SHARD)} = @placement AND t.${quoted(by)} = ANY(@ids)`;
  return `SELECT ${selected.join(', ')} FROM ${quoted(name)} t WHERE ${among} ORDER BY t."id" LIMIT @limit`;
}

/**
 * Locks what the records refer to across placements, since no foreign key prevents its deletion before the copy is committed.
 * @returns the records, without the references to what has just been deleted
 */
function createLockTargets({ connections }: Reading) {
  const prepare = memoize((resource: string) => {
    const among = `t.${quoted(SHARD)} = @placement AND t."id" = ANY(@ids)`;
    return prepareNamed(
      connections,
      `SELECT t."id" FROM ${quoted(resource)} t WHERE ${among} ORDER BY t."id" FOR KEY SHARE`,
    );
  });
  return async (query: Query, originals: readonly Original[]): Promise<readonly Original[]> => {
    const there = new Map<string, Set<string>>();
    for (const { to, id } of originals.flatMap(targetsAcross)) there.set(to, (there.get(to) ?? new Set()).add(id));
    for (const [to, ids] of there) {
      const locked = await Promise.all(
        byPlacement(ids).map(({ shard, ids: those }) => run(query, prepare(to)({ placement: shard, ids: those }))),
      );
      there.set(to, new Set(locked.flat().map(({ id }) => String(id))));
    }
    return originals.map((original) => withoutDeleted(original, there));
  };
}

interface Target {
  readonly reference: Reference;
  readonly to: string;
  readonly id: string;
}

function targetsAcross({ definition, row }: Original): readonly Target[] {
  return definition.references.flatMap((reference) => {
    const id = row[reference.column];
    if (typeof id !== 'string' || isInside(definition, reference.column)) return [];
    return [{ reference, to: reference.to, id }];
  });
}

function withoutDeleted(original: Original, there: ReadonlyMap<string, ReadonlySet<string>>): Original {
  const gone = targetsAcross(original).filter(({ to, id }) => !there.get(to)?.has(id));
  if (gone.length === 0) return original;
  const { definition, row } = original;
  const cleared = gone.flatMap(({ reference: { column, proof, required } }) => {
    if (required) throw new ServiceError('conflict', `The ${column} of a ${definition.name} has just been deleted.`);
    return [[column, null] as const, ...(proof === undefined ? [] : [[proof, 0] as const])];
  });
  return { definition, row: { ...row, ...Object.fromEntries(cleared) } };
}
