// Create, update and remove as synchronous steps over one definition; each runs inside a savepoint of the group commit.
import type Database from 'better-sqlite3';
import type { ActionFunction, Behaviour, Publish } from '../../behaviour.js';
import type { AnyDefinition, Row } from '../../definition.js';
import { type Failure, refusal, throwAll } from '../../errors.js';
import { type Author, auditOf } from '../audit.js';
import type { Action, Caller, Change, Created, Lookup } from '../records.js';
import type { Composer } from '../sql/access.js';
import { deletesUsers, isDemotion } from '../sql/administrators.js';
import { failuresAt } from '../sql/create-all.js';
import { existingStatement, existingValues } from '../sql/existing.js';
import { madeWith, makingsOf, type NewRow, NOTHING_MADE } from '../sql/made.js';
import { actionNamed, newId, type Sources, shown, stillInUse, writeContext } from '../sql/write-steps.js';
import { eventsOf, planAction, planWrite, type WritePlan } from '../write-plan.js';
import type { KeepAdministrator } from './administrators.js';
import type { WriteAudit } from './audit.js';
import { constraintError, isForeignKey } from './engine-error.js';
import { createInsertMade } from './made-records.js';
import type { RecordStatements } from './record-statements.js';
import { createReferenceChecks } from './reference-checks.js';
import { createRemoval } from './removal.js';

/** What the writes of every definition share. */
export interface StoreContext extends Sources {
  readonly db: Database.Database;
  readonly composer: Composer;
  readonly publish: Publish;
  readonly writeAudit: WriteAudit;
  readonly keepAdministrator: KeepAdministrator;
}

export interface Writes {
  create(change: Change): Created;
  createAll(changes: readonly Change[]): readonly Created[];
  update(id: string, change: Change): string;
  remove(id: string, caller: Caller, now: number): void;
  act(id: string, action: Action): string;
  /** Writes what is planned, with what is made with it, and publishes its events. */
  carryOut(plan: WritePlan, by: By, made: readonly NewRow[]): void;
}

/** The hand-written functions of one definition. */
export interface Handwritten {
  readonly behaviour: Behaviour;
  readonly actions: Readonly<Record<string, ActionFunction>>;
}

/** The writes of one definition. They throw ServiceError, and the savepoint they run in rolls them back. */
export function createWrites(
  context: StoreContext,
  definition: AnyDefinition,
  records: RecordStatements,
  { behaviour, actions }: Handwritten,
): Writes {
  const { db, composer } = context;
  const referenceFailures = createReferenceChecks(db, composer, definition);
  const carryOut: Writes['carryOut'] = ({ row, changed, guard, events }, by, made) => {
    const store = () => stored(definition, () => (guard ? records.update(row, changed) : records.insert(row)));
    if (isDemotion(definition, { old: guard, row })) context.keepAdministrator(store);
    else store();
    insertMade(made);
    publishAll(context, events, by.now);
    audit(by, guard, row);
  };
  const audit = createAuditing(context, definition);
  const [makings, insertMade] = [makingsOf(definition), createInsertMade(db, composer.definitions)];
  const write = (old: Row | null, change: Change, id: string): void => {
    const loaded = { old, failures: referenceFailures(change, old) };
    const to = writeContext(context, change, id);
    const made = old === null ? madeWith(composer.definitions, context.ids, makings, to) : NOTHING_MADE;
    const plan = planWrite(loaded, { definition, behaviour, change, context: to, made: made.columns });
    const action = old === null ? 'create' : 'update';
    carryOut(plan, { author: change.caller.author, action, now: change.now }, made.rows);
  };

  const update = (id: string, change: Change, { caller } = change): string => {
    write(permittedRow(definition, records, { id, right: 'edit', caller }), change, id);
    return shown(records.text(caller.admin ? 'admin' : 'editor', id, caller.user));
  };
  const existing = createFindExisting(context, definition);

  const create = (change: Change, { caller } = change): Created => {
    const found = existing(change);
    if (found !== null) return { id: found, text: update(found, change), existed: true };
    const id = newId(composer, context, definition, change);
    write(null, change, id);
    return { id, text: shown(records.text(caller.admin ? 'adminCreator' : 'creator', id, caller.user)) };
  };

  return {
    create,
    createAll: (changes) => allOrNone(changes, (change) => create(change)),
    update,
    remove: createRemove(context, definition, records, behaviour),
    act(id, action) {
      const { name, caller, failures, now } = action;
      const { declared, perform } = actionNamed(definition, actions, name);
      const old = permittedRow(definition, records, { id, right: declared.by, caller });
      // Only now: callers without the right must not learn what is wrong with the parameters.
      throwAll(failures);
      const plan = planAction(old, { definition, behaviour, perform, action });
      carryOut(plan, { author: caller.author, action: name, now }, NOTHING_MADE.rows);
      return readable(definition, records.get(id, caller));
    },
    carryOut,
  };
}

function createRemove(
  context: StoreContext,
  definition: AnyDefinition,
  records: RecordStatements,
  behaviour: Behaviour,
): Writes['remove'] {
  const removal = createRemoval(context.db, context.composer, definition);
  const audit = createAuditing(context, definition);
  const keep: KeepAdministrator = deletesUsers(context.composer.definitions, definition)
    ? context.keepAdministrator
    : (write) => write();
  return (id, caller, now) => {
    const old = permittedRow(definition, records, { id, right: 'edit', caller });
    const before = behaviour.beforeDelete?.(old, null, now);
    removal.refuseWhileReferred(id);
    keep(() =>
      deleted(definition, () => {
        removal.clearTheWay(id);
        records.delete(id);
      }),
    );
    const after = behaviour.afterDelete?.(old, null, now);
    publishAll(context, eventsOf(before, after), now);
    audit({ author: caller.author, action: 'delete', now }, old, null);
  };
}

/** Throws the refusal of a record that the caller may not read. */
function readable(definition: AnyDefinition, found: Lookup): string {
  if (!found.found) throw refusal(definition, found.code);
  return found.text;
}

function createAuditing({ writeAudit }: StoreContext, definition: AnyDefinition) {
  return ({ author, action, now }: By, old: Row | null, row: Row | null): void => {
    if (author !== undefined) writeAudit(auditOf(definition, { author, action, now }, { old, row }));
  };
}

/** Runs in one savepoint, which an error rolls back. */
function allOrNone(changes: readonly Change[], create: (change: Change) => Created): readonly Created[] {
  const failures: Failure[] = [];
  const made = changes.flatMap((change, at) => {
    try {
      return [create(change)];
    } catch (error) {
      failures.push(...failuresAt(at, error));
      return [];
    }
  });
  throwAll(failures);
  return made;
}

/** Who makes a change, and how it is called. */
export interface By {
  readonly author: Author | undefined;
  readonly action: string;
  readonly now: number;
}

/** The id of the record that a create updates instead; null: there is none. */
function createFindExisting(context: StoreContext, definition: AnyDefinition): (change: Change) => string | null {
  const sql = existingStatement(context.composer, definition);
  if (sql === null) return () => null;
  const statement = context.db.prepare<Row, string>(sql).pluck();
  return (change) => {
    if (change.failures.length > 0) return null;
    return statement.get(existingValues(definition, change, writeContext(context, change, ''))) ?? null;
  };
}

function publishAll({ publish }: StoreContext, events: readonly unknown[], now: number): void {
  if (events.length > 0) publish(events, now);
}

interface PermissionRequest {
  readonly id: string;
  readonly right: string;
  readonly caller: Caller;
}

/** The row; throws not_found, or the refusal of a caller who does not hold the right. */
export function permittedRow(
  definition: AnyDefinition,
  records: RecordStatements,
  { id, right, caller }: PermissionRequest,
): Row {
  const row = records.row(id);
  if (!row) throw refusal(definition, 'not_found');
  const permission = records.permission(right, id, caller);
  if (!permission.allowed) throw refusal(definition, permission.code);
  return row;
}

function stored(definition: AnyDefinition, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw constraintError(error, definition);
  }
}

function deleted(definition: AnyDefinition, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isForeignKey(error)) throw error;
    throw stillInUse(definition);
  }
}
