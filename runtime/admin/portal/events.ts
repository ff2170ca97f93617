// The catalogue of events: the class each event is about, the schema of its payload, and an example, as in the API document.

import type { EventDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { memoize } from '../../contract/memoize.js';
import type { PageRequest, PageRoute } from '../console/page.js';
import { cell, fact, pageView, section, table } from '../console/view.js';
import { BASE } from './own.js';

export interface CataloguedEvent {
  readonly name: string;
  /** Class of the record that the event is about. */
  readonly ownerClass: string;
  /** The resource of that class. */
  readonly owner: string;
  readonly summary: string;
  readonly schema: Schema;
  /** JSON text of a payload. */
  readonly example: string;
}

export interface EventCatalogue {
  list(): readonly CataloguedEvent[];
  /** Undefined: there is no such event. */
  find(name: unknown): CataloguedEvent | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly examples?: readonly { readonly payload?: unknown }[];
}

interface ApiDocument {
  readonly webhooks?: Readonly<Record<string, { readonly post?: { readonly summary?: string } }>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** @param document the API document as JSON text */
export function createEventCatalogue(
  events: Readonly<Record<string, EventDefinition>>,
  document: () => string,
): EventCatalogue {
  const all = memoize((_: 'all') => {
    const { webhooks = {}, components } = JSON.parse(document()) as ApiDocument;
    const schemas = components?.schemas ?? {};
    return Object.entries(events).map(([name, { ownerClass, owner }]): CataloguedEvent => {
      const message = schemas[`${name}_message`];
      const { $ref, ...inPlace } = message?.oneOf?.[0]?.properties?.payload ?? {};
      const found = $ref === undefined ? inPlace : (schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
      const { examples: _, ...schema } = found;
      // The payload of some events is a record, whose schema has examples.
      const [payload] = message?.examples?.map((one) => one.payload) ?? found.examples ?? [];
      const example = JSON.stringify(payload ?? {}, null, 2);
      return { name, ownerClass, owner, summary: webhooks[name]?.post?.summary ?? '', schema, example };
    });
  });
  return { list: () => all('all'), find: (name) => all('all').find((one) => one.name === name) };
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
  const { name, ownerClass, summary, schema, example } = event;
  const columns = ['Field', 'Type', 'Meaning'];
  const long = (label: string, text: string) => fact(label, cell(text, { long: true }));
  const page = pageView({
    title: name,
    trail: [{ text: 'Events', href: `${BASE}/events` }],
    links: [{ text: 'New web hook…', href: `${BASE}/webhooks/new?event=${encodeURIComponent(name)}` }],
    sections: [
      section({ note: summary, facts: [fact('About', ownerClass), long('Example of a payload', example)] }),
      section({
        heading: 'Payload',
        table: table({
          caption: 'Payload',
          columns,
          rows: fieldsOf(schema).map((row) => row.map((text) => cell(text))),
        }),
        facts: [long('JSON Schema', JSON.stringify(schema, null, 2))],
      }),
    ],
  });
  return { page };
}

/** A row for each field, including the fields of objects and lists within it. */
function fieldsOf({ properties = {}, items }: Schema, above = ''): readonly (readonly [string, string, string])[] {
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const path = above + name;
    const { type = 'object', description = '' } = field;
    return [[path, [type].flat().join(' or '), description] as const, ...fieldsOf(field, `${path}.`)];
  });
  return items === undefined ? own : [...own, ...fieldsOf(items, `${above.slice(0, -1)}[].`)];
}
