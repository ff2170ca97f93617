// The differences between the web-hook pages of operators and those of owners, and how both read a hook.

import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { HookReport, Outbox, RetryChange } from '../../../store/outbox.js';
import type { PageRequest } from '../page.js';
import type { Fact, Link, Section } from '../view.js';

/** The web-hook pages of one site. */
export interface HookPages {
  /** Base path of the site. */
  readonly base: string;
  readonly hooks: Pick<Outbox, 'hooks' | 'hook' | 'deliveries' | 'message' | 'retry' | 'retried'>;
  /** Whether the beginnings of receivers' answers are shown (S11). */
  readonly showsAnswers: boolean;
  /** The user whose hooks are listed; undefined: all are. */
  userOf(request: PageRequest): string | undefined;
  /** Throws not_found for a hook that the caller may not see. */
  check(request: PageRequest): MaybePromise<unknown>;
  /** Links on the page of all hooks. */
  readonly links: readonly Link[];
  /** What this site adds to the page of a hook. */
  more(hook: HookReport, request: PageRequest): MaybePromise<HookExtras>;
  changeOf(request: PageRequest): RetryChange;
}

export interface HookExtras {
  readonly links: readonly Link[];
  readonly facts: readonly Fact[];
  readonly buttons: Section['buttons'];
}

/** The most that a page counts: deliveries of each hook in a list, deliveries on a hook's own page, attempts after a retry. */
export const COUNT_LIMITS = { inList: 100, alone: 1_000, attempts: 10_000 } as const;

/** The count as text; `1,000 or more` where counting stopped at `most`. */
export function cappedCount(number: number, most: number): string {
  return number < most ? String(number) : `${most.toLocaleString('en')} or more`;
}

/** To the page of all hooks. */
export function hooksLink(base: string): Link {
  return { text: 'Web hooks', href: `${base}/webhooks` };
}

export async function hookOf(pages: HookPages, request: PageRequest): Promise<HookReport> {
  await pages.check(request);
  const hook = await pages.hooks.hook(request.params.hook ?? '', COUNT_LIMITS.alone);
  if (hook === null) throw new ServiceError('not_found', 'There is no such web hook.');
  return hook;
}
