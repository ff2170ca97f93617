// Decides what follows from an outcome, by the state table of the document, and what the outbox writes for it. Pure: no clock, no
// store, no network.

import {
  type Attempt,
  type CallbackType,
  DELETE_AT,
  type Decision,
  type EndedAttempt,
  HOLD_AT,
  type HookState,
  NOTICE_AT,
  type Outcome,
} from './delivery.js';

/** Whether a callback of each type is tried again (S11), and whether its outcome counts (S10). */
const TREATMENT: Readonly<Record<CallbackType, { readonly retried: boolean; readonly counted: boolean }>> = {
  subscribe: { retried: true, counted: true },
  data: { retried: true, counted: true },
  // Somebody waits for the answer: one attempt, whose success and failure both count.
  test: { retried: false, counted: true },
  // The hook no longer exists, and neither does its counter.
  unsubscribe: { retried: false, counted: false },
};

/** Without a hook there is no count, and nothing that would end the retries. */
function treatmentOf({ isDeleted = false }: HookState, type: CallbackType) {
  return isDeleted ? TREATMENT.unsubscribe : TREATMENT[type];
}

const NOTHING = { shorten: false, notice: false, remove: false } as const;

/**
 * The only place that decides what an outcome leads to. Retries wait while the count is HOLD_AT or more; that is a condition of
 * the claim and not a decision: their due times are stored nevertheless (S4, S5).
 * @param hook as it is now, read in the transaction that carries the decision out
 * @param ended when the attempt ended, epoch milliseconds: delays run from here (S1)
 * @param unit milliseconds that each further failure adds to the delay
 */
export function decide(
  hook: HookState,
  attempt: Pick<Attempt, 'type'>,
  outcome: Pick<Outcome, 'class'>,
  { ended, unit }: { readonly ended: number; readonly unit: number },
): Decision {
  if (outcome.class === 'internal') return ownFault(attempt.type, ended);
  if (outcome.class === 'success') return succeeded(hook, attempt.type);
  return failed(hook, attempt.type, { ended, unit });
}

/** S19: not counted, due immediately. Nobody waits for the answer of a test any longer. */
function ownFault(type: CallbackType, ended: number): Decision {
  const delivery = type === 'test' ? ABANDONED : ({ next: 'retry', due: ended } as const);
  return { ...NOTHING, failures: null, delivery };
}

function succeeded(hook: HookState, type: CallbackType): Decision {
  const { failures } = hook;
  const { counted } = treatmentOf(hook, type);
  // At count 0 nothing waits longer than one unit: the success that reset the count has already shortened it (S3).
  return {
    ...NOTHING,
    failures: counted ? 0 : null,
    delivery: { next: 'delivered' },
    shorten: counted && failures > 0,
  };
}

function failed(
  hook: HookState,
  type: CallbackType,
  { ended, unit }: { readonly ended: number; readonly unit: number },
): Decision {
  const { counted, retried } = treatmentOf(hook, type);
  if (!counted) return { ...NOTHING, failures: null, delivery: ABANDONED };
  const failures = hook.failures + 1;
  if (failures >= DELETE_AT) return { ...NOTHING, failures, delivery: ABANDONED, remove: true };
  return {
    ...NOTHING,
    failures,
    delivery: retried ? { next: 'retry', due: ended + failures * unit } : ABANDONED,
    // The mail is written exactly at the fifth failure, once per hook: a reset in between does not repeat it (S7, S8).
    notice: failures === NOTICE_AT && hook.noticed === null,
  };
}

const ABANDONED = { next: 'abandoned' } as const;

/** What the outbox writes for one outcome, once the policy has decided. */
export interface Settlement {
  /** Columns of the attempt in the log, by their names there. */
  readonly logged: LogRow;
  /** The next attempt of the delivery; null: the delivery is finished. */
  readonly retry: Retry | null;
  /** The hook's new count; null: its row stays as it is. */
  readonly count: number | null;
  /** The state of a finished delivery (D48). */
  readonly state: 'delivered' | 'given_up';
  /** What the receiver answered; null: nothing, or an empty body. */
  readonly answer: string | null;
  /** S4: the hook's retries can no longer be claimed at any time. */
  readonly hold: boolean;
}

export type LogRow = {
  readonly id: string;
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly type: string;
  readonly started: number;
  readonly ended: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly counted: 0 | 1;
};

export type Retry = {
  readonly due: number;
  /** When it can be claimed; null: it is held. */
  readonly ready: number | null;
  readonly failed: number;
  /** When it last failed; null: unchanged. */
  readonly last: number | null;
};

/** @param before the hook's count before this outcome */
export function settlementOf(ended: EndedAttempt, decision: Decision, before: number): Settlement {
  const { failures } = decision;
  const { outcome } = ended;
  const count = failures ?? before;
  return {
    logged: logged(ended, failures !== null),
    retry: retryOf(ended, decision, count),
    // S23: the date moves with every attempt that changes the row, including a retry.
    count: failures !== null && (failures !== before || ended.attempt.failed > 0) ? failures : null,
    state: decision.delivery.next === 'delivered' ? 'delivered' : 'given_up',
    answer: ('answer' in outcome && outcome.answer) || null,
    hold: before < HOLD_AT && count >= HOLD_AT,
  };
}

function retryOf({ attempt, ended }: EndedAttempt, { failures, delivery }: Decision, count: number): Retry | null {
  if (delivery.next !== 'retry') return null;
  // Only an outcome that was counted is an attempt of the delivery itself (S19).
  const failed = attempt.failed + (failures === null ? 0 : 1);
  const ready = failed > 0 && count >= HOLD_AT ? null : delivery.due;
  return { due: delivery.due, ready, failed, last: failures === null ? null : ended };
}

function logged({ attempt, outcome, ended }: EndedAttempt, counted: boolean): LogRow {
  const { id, delivery, hook, type, started } = attempt;
  const status = outcome.class === 'status' ? outcome.status : outcome.class === 'success' ? 200 : null;
  // Spreading one object into another would take longer than the statement.
  return {
    id,
    delivery_id: delivery,
    webhook_id: hook,
    type,
    started,
    ended,
    outcome: outcome.class,
    status,
    counted: counted ? 1 : 0,
  };
}
