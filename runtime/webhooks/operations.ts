// The operations of web hooks: the shared ones, over a store that also checks address and key, and `test` and `exchange`.

import type { AnyDefinition } from '../contract/definition.js';
import { type Failure, refusal, ServiceError, throwAll } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import { requireRight } from '../operations/authorize.js';
import type { Answer, Call, Run } from '../operations/call.js';
import { createOperation } from '../operations/create.js';
import type { Operations } from '../operations/operations.js';
import { type PlanOf, planAll } from '../operations/plan.js';
import { updateOperation } from '../operations/update.js';
import { validateInput } from '../operations/validate.js';
import type { Outbox } from '../store/outbox.js';
import type { Change, Records } from '../store/records.js';
import type { TestHook } from './deliver/hook-tests.js';

export interface OperationOptions {
  readonly store: Records;
  /** The list operation that all resources share. */
  readonly list: Run;
  /** All resources that are served, including the web hook. */
  readonly definitions: readonly AnyDefinition[];
  /** What is wrong with a callback address, as a sentence; null: nothing. */
  checkUri(uri: string): string | null;
  readonly testHook: TestHook;
  readonly outbox: Pick<Outbox, 'exchange'>;
  /** A new secret, as Standard Webhooks writes it. */
  newSecret(): string;
  /** How dates are written (D05). */
  formatDate(time: number): string;
}

/**
 * The operations that differ from those of other resources. Who may subscribe to whom is checked in the transaction of
 * the write (by the outbox), which also creates the subscribe and unsubscribe callbacks (S12, S22).
 */
export function createWebhookOperations(
  options: OperationOptions,
): Pick<Operations, 'create' | 'update' | 'list' | 'action'> {
  const { definitions, list } = options;
  const [store, planOf] = [checking(options), planAll(definitions)];
  return {
    create: createOperation(store, planOf, { hashPassword: noPassword, newSecret: noToken }),
    update: updateOperation(store, planOf, { hashPassword: noPassword, verifyPassword: noPassword }),
    list: (call) => {
      // S42: even an empty list would reveal something. The list of all web hooks is for administrators.
      if (call.name !== '' && !call.caller.admin && call.caller.user !== call.id)
        throw refusal(call.definition, 'not_found');
      return list(call);
    },
    action: actionOperation(options, planOf),
  };
}

function noPassword(): Promise<never> {
  return Promise.reject(new Error('a web hook has no password'));
}

/** A web hook has no token either: `check` refuses it. */
function noToken(): never {
  throw new Error('a web hook has no token');
}

function checking({ store, checkUri }: OperationOptions): Records {
  const checked = (change: Change): Change => {
    const failures = [addressFailure(change, checkUri), keyFailure(change)].flatMap((failure) => failure ?? []);
    const added = failures.filter(({ field }) => !change.failures.some((failure) => failure.field === field));
    return { ...change, failures: [...change.failures, ...added] };
  };
  const writes: Pick<Records, 'create' | 'update'> = {
    create: (change) => store.create(checked(withKey(change))),
    update: (id, change) => store.update(id, checked(change)),
  };
  return Object.assign(Object.create(store) as Records, writes);
}

/** S14: without a key of its own, a hook's callbacks are signed with the key with which the session was opened. */
function withKey(change: Change): Change {
  const { input, caller } = change;
  const key = input.api_key_id ?? caller.apiKey ?? null;
  return { ...change, input: { ...input, api_key_id: key } };
}

/** S14: nothing is ever sent without a signature, so a hook's key cannot be set to null. */
function keyFailure({ input }: Change): Failure | null {
  if (input.api_key_id !== null) return null;
  return { field: 'api_key_id', code: 'required', message: 'api_key_id is required.' };
}

function addressFailure({ input }: Change, checkUri: OperationOptions['checkUri']): Failure | null {
  const { callback_uri: uri } = input;
  const problem = typeof uri === 'string' ? checkUri(uri) : null;
  return problem === null ? null : { field: 'callback_uri', code: 'invalid', message: problem };
}

/** Carries out `exchange`, or else `test`, for a caller who may edit the hook, once the parameters are valid. */
function actionOperation(options: OperationOptions, planOf: PlanOf): Run {
  const run = async (call: Call): Promise<Answer> => {
    const action = planOf(call.definition).actions.get(call.name);
    if (action === undefined) throw new ServiceError('not_found', `${call.definition.title} has no such action.`);
    const { input, failures, ignored } = validateInput(action.schema, call.parameters, call.caller);
    throwAll(failures);
    const body = await (call.name === 'exchange' ? exchange(options, call) : test(options, call, input.payload));
    return { status: 200, body, ignored };
  };
  return (call) => chain(requireRight(options.store, call, 'editor'), () => run(call));
}

/** One callback with the caller's payload; the response is 1 or 0 and reveals nothing about the receiver's response (S11). */
async function test({ testHook }: OperationOptions, { id: hook, caller, now }: Call, value: unknown): Promise<string> {
  const isAccepted = await testHook({ hook, user: caller.user ?? '', payload: JSON.stringify(value), now });
  return isAccepted ? '1' : '0';
}

/** Returns the new secret, which no other response shows, and when the previous one ends (D63). */
async function exchange({ outbox, newSecret, formatDate }: OperationOptions, { id, now }: Call): Promise<string> {
  const secret = newSecret();
  const ends = await outbox.exchange(id, secret, now);
  return JSON.stringify({ secret, previous_ends: formatDate(ends) });
}
