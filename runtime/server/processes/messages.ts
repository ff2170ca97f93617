// The messages between the primary and its workers.

import type { ProcessMetrics } from '../../http/metrics.js';
import type { StoredBytes } from '../../store/quota.js';
import type { StartOptions } from '../main.js';
import type { CallResult, MethodCall } from './calls.js';
import type { LimitCounts } from './counted-limit.js';

/** The descriptor under which a worker has its file of counts. */
export const COUNT_FILE = 4;

export type ToWorker =
  /** The first message; `started` is when the service was started, in epoch milliseconds. */
  | { readonly start: StartOptions; readonly started: number }
  /** The users who have used up the quota of their files. */
  | { readonly full: readonly StoredBytes[] }
  | { readonly answers: readonly CallResult[] }
  /** What other workers have counted. */
  | { readonly limited: LimitCounts }
  /** Finish what is under way, and exit. */
  | { readonly stop: true };

export type ToPrimary =
  | { readonly calls: readonly MethodCall[] }
  | { readonly report: WorkerReport }
  /** The address on which it listens. */
  | { readonly listening: string }
  /** Why it cannot start, as a sentence for the operator, with the code of a StartError. */
  | { readonly failed: string; readonly code?: string | undefined };

/** What a worker has done since its last report. */
export interface WorkerReport {
  /** What the worker's limit of requests has counted. */
  readonly limited: LimitCounts;
  /** Log lines that report errors. */
  readonly errors: readonly string[];
  /** Metrics of the process itself; null: they are unchanged. */
  readonly process: ProcessMetrics | null;
}
