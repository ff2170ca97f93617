// Creates several records of one parent, all or none. All failures of validation are found and reported first; only then are the
// records stored, and the first that the database refuses is reported.
import { type Failure, refusal, ServiceError, throwAll } from '../../contract/errors.js';
import type { Bulk, Created } from '../records.js';
import type { Pending, Unit } from '../unit.js';
import { carryOutCreate, create, type PlannedCreate, planCreate } from './create.js';
import type { Resource } from './resource.js';

/** Fields of failures start with the index of their record: `[3].name`. */
export function* createAll(unit: Unit, resource: Resource, bulk: Bulk): Pending<readonly Created[]> {
  yield* mayEditParent(unit, resource, bulk);
  const planned = yield* planAll(unit, resource, bulk);
  const created: Created[] = [];
  for (const [at, one] of planned.entries()) {
    try {
      created.push(yield* settling(unit, carryOutOne(unit, resource, one)));
    } catch (error) {
      throwAll(failuresAt(at, error));
    }
  }
  return created;
}

function* mayEditParent(unit: Unit, { at }: Resource, { parent, caller }: Bulk): Pending<void> {
  const { definition } = at(parent.resource);
  const permission = yield* unit.permission(definition.name, 'editor', parent.id, caller);
  if (!permission.allowed) throw refusal(definition, permission.code);
}

function* planAll(unit: Unit, resource: Resource, { changes }: Bulk): Pending<readonly PlannedCreate[]> {
  const planned: PlannedCreate[] = [];
  const failures: Failure[] = [];
  for (const [at, change] of changes.entries()) {
    try {
      planned.push(yield* planCreate(unit, resource, change));
    } catch (error) {
      failures.push(...failuresAt(at, error));
    }
  }
  throwAll(failures);
  return planned;
}

/** If a create may match an existing record, it is planned again, since an earlier create of the bulk may have stored one. */
function carryOutOne(unit: Unit, resource: Resource, planned: PlannedCreate): Pending<Created> {
  return resource.existing === null ? carryOutCreate(unit, resource, planned) : create(unit, resource, planned.change);
}

/** Waits for the answers of the database, so that a refusal belongs to this record, and comes before failures caused by it. */
function* settling<T>(unit: Unit, work: Pending<T>): Pending<T> {
  try {
    const done = yield* work;
    yield* unit.flush();
    return done;
  } catch (error) {
    yield* unit.flush();
    throw error;
  }
}

/** Failures of a refused write, with the index before each field: `[3].name`. Throws an error that is not a caller's mistake. */
function failuresAt(place: number, error: unknown): readonly Failure[] {
  if (!(error instanceof ServiceError) || ABOUT_THE_DATABASE.has(error.code)) throw error;
  const { code, message, failures } = error;
  if (failures.length === 0) return [{ field: `[${place}]`, code, message }];
  return failures.map((failure) => ({ ...failure, field: `[${place}].${failure.field}` }));
}

const ABOUT_THE_DATABASE: ReadonlySet<string> = new Set(['unavailable', 'storage_full', 'internal']);
