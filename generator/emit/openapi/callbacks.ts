// The `webhooks` section: the callbacks that the service sends, one entry per event, and the schemas of their messages.

import type { ModelEvent } from '../../model/model.js';
import { component, type Fragment, object, text } from './fragment.js';

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
      'of the API key of the web hook, in hex, equals `hmac`. Only status 200 is a success; after any other response,',
      'or none, the callback is sent again after as many hours as the web hook has failed in a row.',
    ].join(' '),
    security: [],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: component('schemas', `${name}_callback`) } },
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

/** The keys every message has, and by its type the payload. */
function message({ name, ownerClass, payload, example }: ModelEvent): Fragment {
  const ofType = (title: string, type: Fragment, payload?: Fragment) => {
    return { title, required: ['type'], properties: { type, ...(payload === undefined ? {} : { payload }) } };
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
        ofType('The web hook was created or deleted', { enum: ['subscribe', 'unsubscribe'] }, { maxProperties: 0 }),
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
