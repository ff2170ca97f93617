// The operations by which administrators read and control web hooks.

import { DELIVERY_STATES } from '../../../runtime/contract/delivery-states.js';
import { ID_EXAMPLE } from '../../model/kinds/record-id.js';
import type { Resource } from '../../model/model.js';
import { hookPromises, type OperationPromises } from '../../model/promises.js';
import { HOOK_ROUTES, type HookRoute } from '../../model/routes.js';
import { pascalCase } from '../../model/type-names.js';
import {
  array,
  camelCase,
  component,
  dateTime,
  type Fragment,
  integer,
  object,
  operationNames,
  text,
  withNull,
} from './fragment.js';
import { operation, type PathOperation } from './operation.js';
import { jsonResponse } from './responses.js';

/** @param resource the resource of web hooks @param takesTokens whether the operations accept tokens of API keys */
export function hookOperations(resource: Resource, takesTokens: boolean): readonly PathOperation[] {
  return HOOK_ROUTES.map((route) => placed(resource, route, hookPromises(route, takesTokens)));
}

function placed(resource: Resource, route: HookRoute, promises: OperationPromises): PathOperation {
  return {
    path: `/api/${resource.name}/{id}/${route.name}`,
    method: route.method,
    operation: operation(promises, {
      ...operationNames(resource, camelCase(resource.name) + pascalCase(route.name), route.summary),
      description: `${route.description} For administrators only.`,
      parameters: queryOf(route),
      ...bodyOf(route),
      responses: { 200: answerOf(route) },
    }),
  };
}

function queryOf({ method, parameters }: HookRoute): readonly Fragment[] {
  if (method !== 'get') return [];
  return Object.entries(parameters).map(([name, { required, ...parameter }]) => ({
    ...{ name, in: 'query', ...(required ? { required } : {}) },
    ...parameter,
  }));
}

function bodyOf({ method, parameters }: HookRoute): Fragment {
  const all = Object.entries(parameters);
  if (method !== 'post' || all.length === 0) return {};
  const properties = all.map(([name, { schema, description, example }]) => [
    name,
    { ...schema, description, examples: [example] },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  const content = { schema, example: { [all[0]?.[0] ?? '']: all[0]?.[1].example } };
  return { body: { content: { 'application/json': content, 'application/x-www-form-urlencoded': content } } };
}

function answerOf({ answers, isPage, summary }: HookRoute): Fragment {
  if (isPage) return jsonResponse('A page of the list.', component('schemas', '_deliveries'));
  return jsonResponse(
    answers === '_success' ? 'Done.' : `${ANSWERS[answers] ?? summary}.`,
    component('schemas', answers),
  );
}

/** Schemas of the responses of web hook actions that return more than a number, by action. */
export const ACTION_ANSWERS: Readonly<Record<string, string>> = { exchange: '_exchanged' };

const ANSWERS: Readonly<Record<string, string>> = {
  _message: 'The delivery',
  _retried: 'The number of retried deliveries',
};

const DELIVERY = {
  id: text('Id of the delivery: the header Delivery-Id of its callbacks.'),
  object_type: text('Type of the record.', { const: 'webhook_delivery' }),
  webhook_id: text('The web hook.'),
  type: text('Type of its callbacks.', { enum: ['subscribe', 'unsubscribe', 'data', 'test'] }),
  state: text('State of the delivery; waiting, held and in_flight are not final.', { enum: DELIVERY_STATES }),
  failed_attempts: integer('Attempts that failed.'),
  created: dateTime('When it was created.'),
  due: withNull(dateTime('When it can be attempted next; null if it is held or has ended.')),
  ended: withNull(dateTime('When it was delivered, cancelled or given up; null if it has not ended.')),
};

const ATTEMPT = {
  object_type: text('Type of the record.', { const: 'webhook_attempt' }),
  attempt: text('Id of the attempt.'),
  delivery: text('Id of the delivery.'),
  type: DELIVERY.type,
  started: dateTime('When it began.'),
  milliseconds: integer('How long it took.'),
  outcome: text('How it ended: `success`, `status` for another status than 200, or what prevented an answer.'),
  status: withNull({ type: 'integer', description: 'Status of the answer; null if there was none.' }),
  counted: { type: 'boolean', description: 'Whether it changed the count of the web hook.' },
  answer: withNull(text('The first 1,024 bytes of the answer; null if there was none.')),
};

const DELIVERY_EXAMPLE = {
  ...{ id: ID_EXAMPLE, object_type: 'webhook_delivery', webhook_id: ID_EXAMPLE, type: 'data' },
  ...{ state: 'waiting', failed_attempts: 1, created: '2030-01-31T12:00:00.000Z' },
  ...{ due: '2030-01-31T13:00:00.000Z', ended: null },
};

const ATTEMPT_EXAMPLE = {
  ...{ object_type: 'webhook_attempt', attempt: ID_EXAMPLE, delivery: ID_EXAMPLE, type: 'data' },
  ...{ started: '2030-01-31T12:00:00.000Z', milliseconds: 35, outcome: 'status', status: 500, counted: true },
  ...{ answer: 'out of order' },
};

const PAGE = { items_per_page: 25, next_cursor: null };

const EXAMPLE_SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** @returns the schemas of the responses */
export function hookSchemas() {
  const message = {
    message: text('The JSON text that is signed and sent.'),
    attempts: array(component('schemas', '_attempt'), 'Oldest first.'),
  };
  const paging = {
    items_per_page: integer('Deliveries per page.'),
    next_cursor: withNull(text('Continues after this page; null at the end.')),
  };
  const page = {
    paging: object({}, paging, { description: 'Position in the list.' }),
    items: array(component('schemas', '_delivery'), 'The deliveries.'),
  };
  const retried = { retried: integer('Number of deliveries that are retried.') };
  const exchanged = {
    secret: text('The new secret; no other response shows it.', { pattern: '^whsec_[A-Za-z0-9+/]{43}=$' }),
    previous_ends: dateTime('Until then callbacks carry the signature of the secret before as well.'),
  };
  const fresh = { secret: EXAMPLE_SECRET, previous_ends: '2030-02-01T12:00:00.000Z' };
  const sent = { message: '{"type":"data"}', attempts: [ATTEMPT_EXAMPLE] };
  const closed = (title: string, properties: Fragment, example: Fragment) =>
    object({ title }, properties, { examples: [example] });
  return {
    _delivery: closed('Delivery', DELIVERY, DELIVERY_EXAMPLE),
    _deliveries: closed('Deliveries', page, { paging: PAGE, items: [DELIVERY_EXAMPLE] }),
    _attempt: closed('Attempt', ATTEMPT, ATTEMPT_EXAMPLE),
    _message: closed('Delivery with its message', { ...DELIVERY, ...message }, { ...DELIVERY_EXAMPLE, ...sent }),
    _exchanged: closed('Exchanged secret', exchanged, fresh),
    _retried: closed('Retried deliveries', retried, { retried: 3 }),
  };
}
