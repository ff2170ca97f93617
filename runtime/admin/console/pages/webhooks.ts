// Web hooks on the operators' pages: those of all users, with the beginnings of answers; pause and resume (D48).

import type { HookReport, Outbox } from '../../../store/outbox.js';
import type { PageRequest, PageRoute } from '../page.js';
import { changeOf, nameCell, pathOf, type Resources } from '../resource.js';
import { button, fact, timeCell } from '../view.js';
import { hookPages } from './hook.js';
import type { HookExtras, HookPages } from './hook-source.js';

/** The reports and controls of the outbox. */
type Hooks = HookPages['hooks'] & Pick<Outbox, 'pause'>;

/** @param resource name of the resource whose records are the hooks */
export function webhookPages(hooks: Hooks, resource: string, resources: Resources): readonly PageRoute[] {
  const pages: HookPages = {
    base: '/console',
    hooks,
    showsAnswers: true,
    userOf: () => undefined,
    check: () => undefined,
    links: [],
    more: (hook) => extrasOf(resources, hook, resource),
    changeOf,
  };
  return [
    ...hookPages(pages),
    { method: 'POST', path: '/webhooks/:hook/pause', run: (request) => pause(hooks, request, true) },
    { method: 'POST', path: '/webhooks/:hook/resume', run: (request) => pause(hooks, request, false) },
  ];
}

async function extrasOf(
  { definitions, names: read }: Resources,
  hook: HookReport,
  resource: string,
): Promise<HookExtras> {
  const path = `/console/webhooks/${hook.id}`;
  const users = definitions.find(({ principal }) => principal)?.name ?? '';
  const owners = hook.owner_class.toLowerCase();
  const names = await read([
    [owners, hook.owner_id],
    [users, hook.user_id],
  ]);
  const isPaused = hook.pausedByOperator !== null;
  return {
    links: [{ text: 'Open the record', href: pathOf(resource, hook.id) }],
    facts: [
      fact(`Of ${owners}`, nameCell(names, owners, hook.owner_id)),
      fact('User', nameCell(names, users, hook.user_id)),
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
