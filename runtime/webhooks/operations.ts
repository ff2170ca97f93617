// The operations of the web hook resource: the shared ones around a store that also judges address and key, and `test`.

import type { AnyDefinition } from '../definition.js';
import { type Failure, ServiceError } from '../errors.js';
import { after } from '../eventually.js';
import { refusal, requireRight } from '../operations/admit.js';
import type { Answer, Call } from '../operations/call.js';
import { createOperations, type Operations } from '../operations/operations.js';
import { planAll } from '../operations/plan.js';
import { throwAll, validateInput } from '../operations/validate.js';
import type { Change, Store } from '../store/store.js';
import type { Attempt, Outcome } from './delivery.js';
import type { WebhookOutbox } from './outbox.js';

export interface OperationParts {
  readonly store: Store;
  /** All that are mounted, the web hook among them. */
  readonly definitions: readonly AnyDefinition[];
  readonly outbox: Pick<WebhookOutbox, 'openTest' | 'settle'>;
  /** What is wrong with a callback address, as a sentence; null: nothing. */
  checkUri(uri: string): string | null;
  /** Signs and sends one attempt; never rejects. */
  attempt(attempt: Attempt): Promise<Outcome>;
  /** Epoch milliseconds, for the end of a test. */
  clock(): number;
}

/**
 * What the module serves otherwise than any resource is served. Who may subscribe to whom is judged in the transaction
 * of the write (see hooks), which also makes the subscribe and unsubscribe callbacks (S12, S22).
 */
export function createWebhookOperations(
  parts: OperationParts,
): Pick<Operations, 'create' | 'update' | 'list' | 'action'> {
  const { definitions } = parts;
  const { create, update, list } = createOperations({
    store: judging(parts),
    definitions,
    hashPassword: () => Promise.reject(new Error('a web hook has no password')),
    verifyPassword: () => Promise.reject(new Error('a web hook has no password')),
    actions: {},
  });
  return {
    create,
    update,
    list: (call) => {
      // S42: that somebody has none would also tell.
      if (!call.caller.admin && call.caller.user !== call.id) throw refusal(call.definition, 'not_found');
      return list(call);
    },
    action: testOperation(parts),
  };
}

function judging({ store, checkUri }: OperationParts): Store {
  const judged = (change: Change): Change => {
    const found = [addressFailure(change, checkUri), keyFailure(change)].flatMap((failure) => failure ?? []);
    const fresh = found.filter(({ field }) => !change.failures.some((failure) => failure.field === field));
    return { ...change, failures: [...change.failures, ...fresh] };
  };
  return {
    ...store,
    create: (change) => store.create(judged(withKey(change))),
    update: (id, change) => store.update(id, judged(change)),
  };
}

/** S14: without a key of its own, a hook is signed with the one the session was opened with. */
function withKey(change: Change): Change {
  const { input, caller } = change;
  const key = input.api_key_id ?? caller.apiKey ?? null;
  return { ...change, input: { ...input, api_key_id: key } };
}

/** S14: nothing is ever sent without a signature, so a hook is never told to have no key. */
function keyFailure({ input }: Change): Failure | null {
  if (input.api_key_id !== null) return null;
  return { field: 'api_key_id', code: 'required', message: 'api_key_id is required.' };
}

function addressFailure({ input }: Change, checkUri: OperationParts['checkUri']): Failure | null {
  const { callback_uri: uri } = input;
  const problem = typeof uri === 'string' ? checkUri(uri) : null;
  return problem === null ? null : { field: 'callback_uri', code: 'invalid', message: problem };
}

/** One callback with the caller's payload; answers 1 or 0, and nothing of what the receiver said (S11). */
function testOperation({ store, definitions, outbox, attempt, clock }: OperationParts): Operations['action'] {
  const planOf = planAll(definitions);
  const busy = new Set<string>();
  const test = async (call: Call): Promise<Answer> => {
    const action = planOf(call.definition).actions.get(call.name);
    if (action === undefined) throw new ServiceError('not_found', `${call.definition.title} has no such action.`);
    const { input, failures, ignored } = validateInput(action.intake, call.parameters, call.caller);
    throwAll(failures);
    const claimed = await outbox.openTest(call.id, JSON.stringify(input.payload), call.now);
    const outcome = await attempt(claimed);
    await outbox.settle(claimed, outcome, clock());
    return { status: 200, body: outcome.class === 'success' ? '1' : '0', ignored };
  };
  return (call) =>
    after(requireRight(store, call, 'editor'), async () => {
      const user = call.caller.user ?? '';
      // S13: the caller waits for a stranger's server; one at a time keeps that from piling up.
      if (busy.has(user)) throw new ServiceError('rate_limited', 'A test is under way.', [], { 'Retry-After': '1' });
      busy.add(user);
      try {
        return await test(call);
      } finally {
        busy.delete(user);
      }
    });
}
