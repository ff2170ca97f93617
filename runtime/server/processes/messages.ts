// What the process that writes and those that serve requests tell each other.

import type { StartOptions } from '../main.js';
import type { Answer, Call } from './calls.js';
import type { Report } from './counts.js';

export type ToServing =
  | { readonly start: StartOptions }
  | { readonly answers: readonly Answer[] }
  /** What others have counted. */
  | { readonly limited: Report['limited'] }
  /** Finish what is under way, and end. */
  | { readonly stop: true };

export type ToWriting =
  | { readonly calls: readonly Call[] }
  | { readonly report: Report }
  | { readonly listening: string }
  /** It cannot start, and why, as a sentence for the operator. */
  | { readonly refused: string };
