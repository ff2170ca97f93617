// POST /api/<resource>/<id>/bulk-<list>: creates several records of a list, all or none.

import { type Failure, failed, ServiceError, throwAll } from '../contract/errors.js';
import { isMap } from '../contract/is-map.js';
import { rescue } from '../contract/maybe-promise.js';
import type { Created, Records } from '../store/records.js';
import { authorize, requireRight } from './authorize.js';
import type { Call, Parameters, Run } from './call.js';
import { changeOf, type Secrets, withIgnored, withNewToken } from './change.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';
import { coerce, validateInput } from './validate.js';

const MOST = 100;

/** `call.definition` is the parent's, `call.name` the list. Responds with the new records, as their creator sees them. */
export function bulkOperation(store: Records, planOf: PlanOf, { hashPassword, newSecret }: Secrets): Run {
  return async (call) => {
    const { definition, id, name, caller, parameters, now, idempotencyKey } = call;
    const items = planOf(definition).lists.get(name);
    const list = items?.lists.find((one) => one.parent === definition.name && one.name === name);
    if (items === undefined || list === undefined)
      throw new ServiceError('not_found', `${definition.title} has no such list.`);
    authorize(items, 'create', caller);
    const sent = itemsIn(parameters[name], name);
    // Callers without the right must not learn what is wrong with the parameters.
    if (sent.failures.length > 0) await requireRight(store, call, 'editor');
    throwAll(sent.failures);
    const schema = planOf(items).create;
    const written = await Promise.all(
      sent.items.map(async (item) => {
        const parent = anotherParent(item, list.by, id);
        const { input, failures, ignored } = validateInput(schema, { ...item, [list.by]: id }, caller);
        const itemCall: Call = { definition: items, id: '', name: '', parameters: item, caller, now, upload: null };
        const change = await changeOf(itemCall, schema, { input, failures: [...failures, ...parent] }, hashPassword);
        return { ...withNewToken(change, items, newSecret), ignored };
      }),
    );
    const ofItems = written.flatMap((one) => one.ignored);
    const ignored = [...new Set([...unknownNames(parameters, [name]), ...ofItems])];
    const changes = written.map(({ change }) => change);
    const bulk = { resource: items.name, parent: { resource: definition.name, id }, changes, caller, now };
    const created = await rescue(
      () => store.createAll({ ...bulk, ...(idempotencyKey && { idempotencyKey }) }),
      (error) => {
        throw withIgnored(refusalIn(name, error), ignored);
      },
    );
    const createdRecords = created.map((one, at) => ({ ...one, text: written[at]?.shown(one) ?? one.text }));
    const records = createdRecords.some(({ isReplay = false }) => isReplay) ? 1 : createdRecords.length;
    return { status: 201, body: body(name, createdRecords), records, ignored };
  };
}

interface SentItems {
  readonly items: readonly Parameters[];
  readonly failures: readonly Failure[];
}

/** A list, or its JSON text in a form. */
function itemsIn(value: unknown, name: string): SentItems {
  const coerced = coerce('json', value ?? null);
  const list = coerced.ok ? coerced.value : null;
  if (!Array.isArray(list) || list.length < 1 || list.length > MOST) {
    const message = `${name} must be a list of 1 to ${MOST} records.`;
    return { items: [], failures: [{ field: name, code: value === undefined ? 'required' : 'invalid', message }] };
  }
  return { items: list, failures: list.flatMap((item, at) => (isMap(item) ? [] : [notARecord(name, at)])) };
}

function notARecord(name: string, at: number): Failure {
  return { field: `${name}[${at}]`, code: 'invalid', message: `${name}[${at}] must be a map of parameters.` };
}

function anotherParent(item: Parameters, column: string, id: string): readonly Failure[] {
  const sent = item[column] ?? id;
  if (sent === id) return [];
  return [{ field: column, code: 'invalid', message: `${column} must be the id in the path, or be left out.` }];
}

/** The error of a bulk create, whose failures name the list and the item. */
function refusalIn(name: string, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const [first, ...rest] = error.failures.map((failure) => ({ ...failure, field: `${name}${failure.field}` }));
  return first === undefined ? error : failed([first, ...rest]);
}

function body(name: string, records: readonly Created[]): string {
  return `{${JSON.stringify(name)}:[${records.map(({ text }) => text).join(',')}],"errors":0}`;
}
