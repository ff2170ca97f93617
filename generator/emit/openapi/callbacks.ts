// The `webhooks` section: the callbacks that the service sends, one entry per event, and the schemas of their messages.

import type { ModelEvent } from '../../model/model.js';
import { component, type Fragment } from './fragment.js';

/** @returns `webhooks`, a signed form post per event */
export function callbacks(events: readonly ModelEvent[]): Fragment {
  return Object.fromEntries(events.map((event) => [event.name, { post: callback(event) }]));
}

/** @returns `<event>_message` and `<event>_callback` for every event */
export function callbackSchemas(events: readonly ModelEvent[]): Fragment {
  return Object.fromEntries(
    events.flatMap((event) => [
      [`${event.name}_message`, message(event)],
      [`${event.name}_callback`, form(event)],
    ]),
  );
}

function callback({ name, summary }: ModelEvent): Fragment {
  return {
    tags: ['Callbacks'],
    operationId: `on${name}`,
    summary,
    description: [
      `Sent to the \`callback_uri\` of every web hook for ${name}.`,
      'Build the text `epoch`, a full stop, `message` exactly as received; its HMAC with SHA-256 under the private key',
      'of the API key of the web hook, in hex, equals `hmac`. Only status 200 is a success; after any other answer,',
      'or none, the callback is sent again after as many hours as the web hook has failed in a row.',
    ].join(' '),
    security: [],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: component('schemas', `${name}_callback`) } },
    },
    responses: {
      200: { description: 'The callback has arrived and is not sent again.' },
      '4XX': { description: 'A failure, as is every status but 200.' },
    },
  };
}

function form({ name }: ModelEvent): Fragment {
  return {
    type: 'object',
    title: `${name}: form`,
    required: ['epoch', 'message', 'hmac'],
    properties: {
      epoch: { type: 'integer', description: 'Seconds since 1970-01-01 UTC when it was sent.' },
      message: {
        type: 'string',
        description: 'The message as JSON text.',
        contentMediaType: 'application/json',
        contentSchema: component('schemas', `${name}_message`),
      },
      hmac: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The signature.' },
    },
  };
}

/** The keys every message has, and by its type the payload. */
function message({ name, ownerClass, payload, example }: ModelEvent): Fragment {
  return {
    type: 'object',
    title: `${name}: message`,
    required: ['id', 'owner_class', 'owner_id', 'event', 'type', 'payload'],
    properties: {
      id: { type: 'string', description: 'Id of the web hook.' },
      owner_class: { type: 'string', const: ownerClass, description: 'Class of the owner.' },
      owner_id: { type: 'string', description: 'Id of the owner.' },
      event: { type: 'string', const: name, description: 'Name of the event.' },
      type: {
        type: 'string',
        enum: ['subscribe', 'unsubscribe', 'data', 'test'],
        description: 'Why it is sent: the web hook was created or deleted, the event took place, or a test.',
      },
      payload: { type: 'object', description: 'What the event carries; empty for subscribe and unsubscribe.' },
    },
    oneOf: [
      { title: 'The event took place', required: ['type'], properties: { type: { const: 'data' }, payload } },
      {
        title: 'The web hook was created or deleted',
        required: ['type'],
        properties: { type: { enum: ['subscribe', 'unsubscribe'] }, payload: { maxProperties: 0 } },
      },
      { title: 'A test', required: ['type'], properties: { type: { const: 'test' } } },
    ],
    ...(example === undefined ? {} : { examples: [messageExample(name, ownerClass, example)] }),
  };
}

function messageExample(event: string, ownerClass: string, payload: unknown): Fragment {
  const id = '0a01kmz3b5wqd7c8r9t2v4x6y8';
  return { id, owner_class: ownerClass, owner_id: id, event, type: 'data', payload };
}
