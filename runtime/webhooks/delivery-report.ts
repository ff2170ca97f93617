// Deliveries and attempts as operators and owners of web hooks read them, as JSON values.

import type { Profile } from '../http/profiles.js';
import type { DeliveryReport, LoggedAttempt, MessageReport } from '../store/outbox.js';

/** An attempt as a JSON value. */
export function attemptJson(attempt: LoggedAttempt, wire: WireTexts = PLAIN_TEXTS) {
  return {
    object_type: 'webhook_attempt',
    attempt: attempt.id,
    delivery: attempt.delivery,
    type: attempt.type,
    started: wire.formatDate(attempt.started),
    milliseconds: attempt.ended - attempt.started,
    outcome: attempt.outcome,
    status: attempt.status,
    counted: wire.formatBoolean(attempt.counted === 1),
  };
}

/** A delivery as a JSON value. */
export function deliveryJson(delivery: DeliveryReport, wire: WireTexts = PLAIN_TEXTS) {
  const { id, hook, type, state, created, due, ended, failed } = delivery;
  const date = (time: number | null) => (time === null ? null : wire.formatDate(time));
  return {
    ...{ id, object_type: 'webhook_delivery', webhook_id: hook, type, state, failed_attempts: failed },
    ...{ created: wire.formatDate(created), due: date(due), ended: date(ended) },
  };
}

/** The same with the message that is sent, its attempts, and the beginning of each answer. */
export function messageJson(report: MessageReport, wire: WireTexts = PLAIN_TEXTS) {
  const attempts = report.attempts.map((one) => ({ ...attemptJson(one, wire), answer: one.answer }));
  return { ...deliveryJson(report, wire), message: report.message, attempts };
}

/** How times in epoch milliseconds and flags are written. */
type WireTexts = Pick<Profile, 'formatDate' | 'formatBoolean'>;

export const PLAIN_TEXTS: WireTexts = {
  formatDate: (time) => new Date(time).toISOString(),
  formatBoolean: (value) => value,
};
