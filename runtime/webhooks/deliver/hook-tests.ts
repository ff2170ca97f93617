// Tests of web hooks: one callback with the caller's payload, whose outcome the caller waits for.

import { ServiceError } from '../../contract/errors.js';
import type { Attempt, Outcome } from '../../rules/delivery.js';
import type { Outbox } from '../../store/outbox.js';

export interface HookTest {
  /** Id of the hook. */
  readonly hook: string;
  /** Id of the user who tests it. */
  readonly user: string;
  /** JSON text. */
  readonly payload: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Throws `rate_limited` while another test of this user is under way. @returns whether the receiver accepted it */
export type TestHook = (test: HookTest) => Promise<boolean>;

export interface HookTestOptions {
  readonly outbox: Pick<Outbox, 'test' | 'settle'>;
  /** Name of the server, which tests belong to. */
  readonly server: string;
  /** Signs and sends one attempt; never rejects. */
  attempt(attempt: Attempt): Promise<Outcome>;
  /** Epoch milliseconds, for the end of a test. */
  clock(): number;
}

export function createHookTests({ outbox, server, attempt, clock }: HookTestOptions): TestHook {
  const busy = new Set<string>();
  const send = async ({ hook, payload, now }: HookTest): Promise<boolean> => {
    const started = await outbox.test(hook, { payload, now, server });
    const outcome = await attempt(started);
    await outbox.settle([{ attempt: started, outcome, ended: clock() }]);
    return outcome.class === 'success';
  };
  return async (test) => {
    const { user } = test;
    // S13: the caller waits for somebody else's server; allowing one test at a time keeps waits from piling up.
    if (busy.has(user)) throw new ServiceError('rate_limited', 'A test is under way.', [], { 'Retry-After': '1' });
    busy.add(user);
    try {
      return await send(test);
    } finally {
      busy.delete(user);
    }
  };
}
