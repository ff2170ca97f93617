// Web hooks on the operators' pages: those of all users, with the beginnings of answers; pause and resume (D48).

import type { AnyDefinition, EventDefinition } from '../../../contract/definition.js';
import type { HookReport, Outbox } from '../../../store/outbox.js';
import type { PageRequest, PageRoute } from '../page.js';
import { callOf, changeOf, nameOfCalled, pathOf, type Resources } from '../resource.js';
import { button, cell, fact, timeText } from '../view.js';
import { hookPages } from './hook.js';
import type { HookExtras, HookPages } from './hook-source.js';

/** The reports and controls of the outbox. */
type Hooks = HookPages['hooks'] & Pick<Outbox, 'pause'>;

export interface HookSource {
  readonly resources: Resources;
  /** The resource whose records are the hooks, and that of users. */
  readonly hook: AnyDefinition;
  readonly principal: AnyDefinition;
  readonly events: Readonly<Record<string, EventDefinition>>;
}

export function webhookPages(hooks: Hooks, source: HookSource): readonly PageRoute[] {
  const pages: HookPages = {
    base: '/console',
    hooks,
    showsAnswers: true,
    userOf: () => undefined,
    check: () => undefined,
    links: [],
    more: (hook, request) => extrasOf(hook, source, request),
    changeOf,
  };
  return [
    ...hookPages(pages),
    { method: 'POST', path: '/webhooks/:hook/pause', run: (request) => pause(hooks, request, true) },
    { method: 'POST', path: '/webhooks/:hook/resume', run: (request) => pause(hooks, request, false) },
  ];
}

async function extrasOf(
  hook: HookReport,
  { resources, hook: own, principal, events }: HookSource,
  request: PageRequest,
): Promise<HookExtras> {
  const path = `/console/webhooks/${hook.id}`;
  const named = async (definition: AnyDefinition | undefined, id: string) =>
    definition === undefined
      ? cell(id, { code: true })
      : cell(await nameOfCalled(resources, callOf(definition, request, { id })), { href: pathOf(definition.name, id) });
  const isPaused = hook.pausedByOperator !== null;
  const [owner, user] = await Promise.all([
    named(resources.find(events[hook.event]?.owner ?? ''), hook.owner_id),
    named(principal, hook.user_id),
  ]);
  return {
    links: [{ text: 'Open the record', href: pathOf(own.name, hook.id) }],
    facts: [
      fact(`Of ${hook.owner_class.toLowerCase()}`, owner),
      fact('User', user),
      fact('Mail to its user', timeText(hook.noticeSent)),
    ],
    buttons: [isPaused ? button('Resume', `${path}/resume`) : button('Pause', `${path}/pause`)],
  };
}

async function pause(hooks: Hooks, request: PageRequest, on: boolean) {
  const { hook = '' } = request.params;
  await hooks.pause(hook, on, changeOf(request));
  return { to: `/webhooks/${hook}?done=${on ? 'Paused.' : 'Resumed.'}` };
}
