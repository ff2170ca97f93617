// Copies in the test's own process, with a clock of its own and a look at how they go.
import { copyService } from '../../runtime/admin/commands/copy-work.js';
import type { Progress } from '../../runtime/store/progress.js';

/** The services that are copied were made just now. */
export const CLOCK = { now: () => Date.now(), tick: () => 0 };
export const SILENT: Progress = { begin: () => undefined, advance: () => undefined, end: () => undefined };

/** @returns the summary */
export function copy(
  from: string,
  to: string,
  more: { readonly filesFrom?: string; readonly filesTo?: string } = {},
  progress: Progress = SILENT,
): Promise<string> {
  return copyService({ from, to, format: 'text', ...more }, progress, CLOCK);
}

/** Calls `then` at that step; a step is a part that begins or ends, or a batch that is done. */
export function atStep(step: number, then: () => void): Progress {
  let count = 0;
  const next = (): void => {
    if (count++ === step) then();
  };
  return { begin: next, advance: next, end: next };
}
