// Reports on web hooks, as far as their SQL is the same on every engine.
import type { HookPage } from '../outbox.js';

/** The state of a row of `webhook_delivery`: what is not over. */
export const DELIVERY_STATES = `CASE WHEN attempt_id IS NOT NULL THEN 'in_flight' WHEN ready IS NULL THEN 'held' ELSE 'waiting' END`;

/** Over a hook `w`, with the parameters below. @param isPaused SQL */
export function conditionOf(isPaused: string): string {
  return `w.failures_since_last_success >= @from AND w.failures_since_last_success < @below AND (@paused = 0 OR ${isPaused})`;
}

export function stateParameters(state: HookPage['state']): { from: number; below: number; paused: number } {
  const any = { from: 0, below: Number.MAX_SAFE_INTEGER, paused: 0 };
  if (state === null) return any;
  return state === 'paused' ? { ...any, paused: 1 } : { ...state, paused: 0 };
}
