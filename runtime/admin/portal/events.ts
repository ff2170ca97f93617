// The catalogue of events: the class each event is about, the schema of its payload, and an example, as in the API document.

import type { EventDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { memoize } from '../../contract/memoize.js';
import { type ApiDocument, follow, type Schema } from '../../pages/docs/document.js';
import { type Property, propertiesOf } from '../../pages/docs/schema.js';
import type { PageRequest, PageRoute } from '../console/page.js';
import { cell, fact, pageView, section, table } from '../console/view.js';
import { BASE } from './user-records.js';

export interface CataloguedEvent {
  readonly name: string;
  /** Class of the record that the event is about. */
  readonly ownerClass: string;
  /** The resource of that class. */
  readonly owner: string;
  readonly summary: string;
  /** JSON text of the payload's schema. */
  readonly schema: string;
  readonly fields: readonly Property[];
  /** JSON text of a payload. */
  readonly example: string;
}

export interface EventCatalogue {
  list(): readonly CataloguedEvent[];
  /** Undefined: there is no such event. */
  find(name: unknown): CataloguedEvent | undefined;
}

/** @param document the API document as JSON text */
export function createEventCatalogue(
  events: Readonly<Record<string, EventDefinition>>,
  document: () => string,
): EventCatalogue {
  const all = memoize((_: 'all') => {
    const api = JSON.parse(document()) as ApiDocument;
    return Object.entries(events).map(([name, { ownerClass, owner }]): CataloguedEvent => {
      const message = follow<Schema>(api, { $ref: `#/components/schemas/${name}_message` });
      const [subscribed = {}] = message.oneOf ?? [];
      const { examples, ...schema } = follow(api, follow(api, subscribed).properties?.payload ?? {});
      const messages = message.examples as readonly { readonly payload?: unknown }[] | undefined;
      // The payload of some events is a record, whose schema has examples.
      const [example = {}] = messages?.map(({ payload }) => payload) ?? examples ?? [];
      const summary = api.webhooks?.[name]?.post?.summary ?? '';
      const fields = propertiesOf({ document: api, linkTo: () => '' }, schema);
      return { name, ownerClass, owner, summary, schema: textOf(schema), fields, example: textOf(example) };
    });
  });
  return { list: () => all('all'), find: (name) => all('all').find((one) => one.name === name) };
}

function textOf(json: unknown): string {
  return JSON.stringify(json, null, 2);
}

export function eventPages(events: EventCatalogue): readonly PageRoute[] {
  return [
    { method: 'GET', path: '/events', run: () => showEvents(events) },
    { method: 'GET', path: '/events/:event', run: (request) => showEvent(events, request) },
  ];
}

function showEvents(events: EventCatalogue) {
  const rows = events
    .list()
    .map(({ name, ownerClass, summary }) => [
      cell(name, { href: `${BASE}/events/${encodeURIComponent(name)}` }),
      cell(ownerClass),
      cell(summary),
    ]);
  const shown = table({ caption: 'Events', columns: ['Event', 'About', 'When'], rows });
  return { page: pageView({ title: 'Events', sections: [section({ table: shown })] }) };
}

function showEvent(events: EventCatalogue, { params }: PageRequest) {
  const event = events.find(params.event);
  if (event === undefined) throw new ServiceError('not_found', 'There is no such event.');
  const { name, ownerClass, summary, schema, fields, example } = event;
  const rows = fields.map((property) => {
    return [cell(property.name), cell(property.type.map(({ text }) => text).join('')), cell(property.description)];
  });
  const long = (label: string, text: string) => fact(label, cell(text, { long: true }));
  const page = pageView({
    title: name,
    trail: [{ text: 'Events', href: `${BASE}/events` }],
    links: [{ text: 'New web hook…', href: `${BASE}/webhooks/new?event=${encodeURIComponent(name)}` }],
    sections: [
      section({ note: summary, facts: [fact('About', ownerClass), long('Example of a payload', example)] }),
      section({
        heading: 'Payload',
        table: table({ caption: 'Payload', columns: ['Field', 'Type', 'Meaning'], rows }),
        facts: [long('JSON Schema', schema)],
      }),
    ],
  });
  return { page };
}
