// The `webhooks` section: the callbacks that the service sends, one entry per event, and the schemas of their messages.

import type { ModelEvent, Resource } from '../../model/model.js';
import { CONTROL_CALLBACKS, hasHookRoutes } from '../../model/routes.js';
import { component, dateTime, type Fragment, object, text } from './fragment.js';

/** Whether web hooks can have the format `standard` (D63). */
export function hasStandardFormat(resources: readonly Resource[]): boolean {
  const parameters = resources.filter(hasHookRoutes).flatMap((hook) => hook.parameters);
  return parameters.some(({ name, schema }) => name === 'format' && [schema.enum].flat().includes('standard'));
}

/**
 * @param isStandard whether callbacks can be JSON too
 * @returns `webhooks`, a signed post per event
 */
export function callbacks(events: readonly ModelEvent[], isStandard: boolean): Fragment {
  return Object.fromEntries(events.map((event) => [event.name, { post: callback(event, isStandard) }]));
}

/** @returns `<event>_message` and `<event>_callback` for every event, and with the other format `<event>_standard` */
export function callbackSchemas(events: readonly ModelEvent[]): Fragment {
  return Object.fromEntries(
    events.flatMap((event) => [
      [`${event.name}_message`, message(event)],
      [`${event.name}_callback`, form(event)],
      [`${event.name}_standard`, standard(event)],
    ]),
  );
}

const HEADERS: readonly Fragment[] = [
  header('Delivery-Id', 'Id of the delivery, the same in every attempt.'),
  header('Webhook-Id', 'The same, as Standard Webhooks has it.'),
  header('Webhook-Timestamp', 'Seconds since 1970-01-01 UTC when it was sent.', { pattern: '^[0-9]+$' }),
  header(
    'Webhook-Signature',
    'HMAC with SHA-256 over `Webhook-Id`, `Webhook-Timestamp` and the body, joined by full stops, under the 32 bytes of the secret, in base64 after `v1,`; two of them, the newer first, while the secret is being exchanged.',
    { pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$' },
  ),
];

function header(name: string, description: string, more: Fragment = {}): Fragment {
  return { name, in: 'header', required: true, description, schema: { type: 'string', ...more } };
}

function callback({ name, summary }: ModelEvent, isStandard: boolean): Fragment {
  return {
    tags: ['Callbacks'],
    operationId: `on${name}`,
    summary,
    description: [
      `Sent to the \`callback_uri\` of every web hook for ${name}.`,
      'Build the text `epoch`, a full stop, `message` exactly as received; its HMAC with SHA-256 under the private key',
      'of the API key of the web hook, in hex, equals `hmac`. Only status 200 is a success; after any other response,',
      'or none, the callback is sent again after as many hours as the web hook has failed in a row.',
      ...(isStandard ? ['A web hook whose `format` is `standard` gets JSON, verified by the headers alone.'] : []),
    ].join(' '),
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': { schema: component('schemas', `${name}_callback`) },
        ...(isStandard ? { 'application/json': { schema: component('schemas', `${name}_standard`) } } : {}),
      },
    },
    responses: {
      200: { description: 'The callback was received and is not sent again.' },
      '4XX': { description: 'A failure, like every status except 200.' },
    },
  };
}

function form({ name }: ModelEvent): Fragment {
  const message = text('The message as JSON text.');
  const contentSchema = component('schemas', `${name}_message`);
  return object(
    { title: `${name}: form` },
    {
      epoch: { type: 'integer', description: 'Seconds since 1970-01-01 UTC when it was sent.' },
      message: { ...message, contentMediaType: 'application/json', contentSchema },
      hmac: text('The signature.', { pattern: '^[0-9a-f]{64}$' }),
    },
  );
}

function standard({ name }: ModelEvent): Fragment {
  return object(
    { title: `${name}: Standard Webhooks` },
    {
      type: text('The event if it happened, or why else it was sent.', {
        enum: [name, ...CONTROL_CALLBACKS],
      }),
      timestamp: dateTime('When that happened; the same in every attempt.'),
      data: component('schemas', `${name}_message`),
    },
  );
}

/** The keys that every message has, and the payload, which depends on its type. */
function message({ name, ownerClass, payload, example }: ModelEvent): Fragment {
  // Every part states its type, since some readers classify schemas by it.
  const ofType = (title: string, type: Fragment, payload?: Fragment) => {
    const properties = { type: { type: 'string', ...type }, ...(payload === undefined ? {} : { payload }) };
    return { type: 'object', title, required: ['type'], properties };
  };
  return object(
    { title: `${name}: message` },
    {
      id: text('Id of the web hook.'),
      owner_class: text('Class of the owner.', { const: ownerClass }),
      owner_id: text('Id of the owner.'),
      event: text('Name of the event.', { const: name }),
      type: text('Why it was sent: the web hook was created or deleted, the event happened, or it is a test.', {
        enum: ['subscribe', 'unsubscribe', 'data', 'test'],
      }),
      payload: { type: 'object', description: 'Data of the event; empty for subscribe and unsubscribe.' },
    },
    {
      oneOf: [
        ofType('The event happened', { const: 'data' }, payload),
        ofType(
          'The web hook was created or deleted',
          { enum: ['subscribe', 'unsubscribe'] },
          { type: 'object', maxProperties: 0 },
        ),
        ofType('A test', { const: 'test' }),
      ],
      ...(example === undefined ? {} : { examples: [messageExample(name, ownerClass, example)] }),
    },
  );
}

function messageExample(event: string, ownerClass: string, payload: unknown): Fragment {
  const id = '0a01kmz3b5wqd7c8r9t2v4x6y8';
  return { id, owner_class: ownerClass, owner_id: id, event, type: 'data', payload };
}
