// Web hooks on the operators' pages: the hooks of all users, the beginnings of answers, and pause and resume (D48).

import type { AnyDefinition, EventDefinition } from '../../../contract/definition.js';
import type { HookReport, Outbox } from '../../../store/outbox.js';
import type { PageRequest, PageRoute } from '../page.js';
import { changeOf, nameCell, pathOf, type Resources } from '../resource.js';
import { button, fact, timeCell } from '../view.js';
import { hookPages } from './hook.js';
import type { HookExtras, HookPages } from './hook-source.js';

/** The reports and controls of the outbox that the pages use. */
type Hooks = HookPages['hooks'] & Pick<Outbox, 'pause'>;

export interface HookSource {
  readonly resources: Pick<Resources, 'names'>;
  /** The resource of web hooks. */
  readonly hook: AnyDefinition;
  /** The resource of users. */
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
    more: (hook) => extrasOf(source, hook),
    changeOf,
  };
  return [
    ...hookPages(pages),
    { method: 'POST', path: '/webhooks/:hook/pause', run: (request) => pause(hooks, request, true) },
    { method: 'POST', path: '/webhooks/:hook/resume', run: (request) => pause(hooks, request, false) },
  ];
}

async function extrasOf(
  { resources, hook: definition, principal, events }: HookSource,
  hook: HookReport,
): Promise<HookExtras> {
  const path = `/console/webhooks/${hook.id}`;
  const owner = events[hook.event]?.owner ?? '';
  const names = await resources.names([
    [owner, hook.owner_id],
    [principal.name, hook.user_id],
  ]);
  const isPaused = hook.pausedByOperator !== null;
  return {
    links: [{ text: 'Open the record', href: pathOf(definition.name, hook.id) }],
    facts: [
      fact('About', nameCell(names, owner, hook.owner_id)),
      fact('User', nameCell(names, principal.name, hook.user_id)),
      fact('Mail to its user', timeCell(hook.noticeSent)),
    ],
    buttons: [isPaused ? button('Resume', `${path}/resume`) : button('Pause', `${path}/pause`)],
  };
}

async function pause(hooks: Hooks, request: PageRequest, on: boolean) {
  const { hook = '' } = request.params;
  await hooks.pause(hook, on, changeOf(request));
  return { to: `/webhooks/${hook}?done=${on ? 'Paused.' : 'Resumed.'}` };
}
