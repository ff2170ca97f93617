// The messages between the primary and its workers.

import type { StartOptions } from '../main.js';
import type { Answer, Call } from './calls.js';
import type { Report } from './counts.js';

export type ToWorker =
  | { readonly start: StartOptions }
  | { readonly answers: readonly Answer[] }
  /** What other workers have counted. */
  | { readonly limited: Report['limited'] }
  /** Finish what is under way, and exit. */
  | { readonly stop: true };

export type ToPrimary =
  | { readonly calls: readonly Call[] }
  | { readonly report: Report }
  /** The address on which it listens. */
  | { readonly listening: string }
  /** Why it cannot start, as a sentence for the operator. */
  | { readonly failed: string };
