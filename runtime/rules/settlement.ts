// What the outbox writes for one outcome, once the policy has decided. Pure: the engines have the statements.

import type { EndedAttempt } from './delivery.js';
import { type Decision, HOLD_AT, type Outcome } from './delivery.js';

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
  const count = failures ?? before;
  return {
    logged: logged(ended, failures !== null),
    retry: retryOf(ended, decision, count),
    // S23: the date moves with every attempt that changes the row, including a retry.
    count: failures !== null && (failures !== before || ended.attempt.failed > 0) ? failures : null,
    state: decision.delivery.next === 'delivered' ? 'delivered' : 'given_up',
    answer: answerOf(ended.outcome),
    hold: before < HOLD_AT && count >= HOLD_AT,
  };
}

function answerOf(outcome: Outcome): string | null {
  return ('answer' in outcome && outcome.answer) || null;
}

function retryOf({ attempt, ended }: EndedAttempt, { failures, delivery }: Decision, count: number): Retry | null {
  if (delivery.next !== 'retry') return null;
  // Only what was counted is an attempt of the delivery's own (S19).
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
