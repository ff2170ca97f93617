// Whose pages of web hooks they are: those of operators, or of owners; and how a hook is read for them.

import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { HookReport, Outbox, RetryChange } from '../../../store/outbox.js';
import type { PageRequest } from '../page.js';
import type { Fact, Link, Section } from '../view.js';

/** Whose pages of web hooks they are. */
export interface HookPages {
  /** Of the site. */
  readonly base: string;
  readonly hooks: Pick<Outbox, 'hooks' | 'hook' | 'deliveries' | 'message' | 'retry' | 'retried'>;
  /** Whether the beginnings of receivers' answers are shown (S11). */
  readonly showsAnswers: boolean;
  /** The user whose hooks are listed; undefined: all are. */
  userOf(request: PageRequest): string | undefined;
  /** Throws not_found for a hook that the caller may not see. */
  check(request: PageRequest): MaybePromise<unknown>;
  /** On the page of all hooks. */
  readonly links: readonly Link[];
  /** What the page of a hook has besides. */
  more(hook: HookReport, request: PageRequest): MaybePromise<HookExtras>;
  changeOf(request: PageRequest): RetryChange;
}

export interface HookExtras {
  readonly links: readonly Link[];
  readonly facts: readonly Fact[];
  readonly buttons: Section['buttons'];
}

/** Deliveries of a hook that are counted: on a page of many hooks, and on its own. Attempts that say what came of a retry. */
export const COUNTED = { inList: 100, alone: 1_000, attempts: 10_000 } as const;

/** A count that goes no further. */
export function counted(number: number, most: number): string {
  return number < most ? String(number) : `${most.toLocaleString('en')} or more`;
}

export async function hookOf(pages: HookPages, request: PageRequest): Promise<HookReport> {
  await pages.check(request);
  const hook = await pages.hooks.hook(request.params.hook ?? '', COUNTED.alone);
  if (hook === null) throw new ServiceError('not_found', 'There is no such web hook.');
  return hook;
}
