// Holds the descriptors against behind.ts and events.ts: what no record shows.
import { administratorsSet } from './access.js';
import { brief, filters, inside, lookups, operations, order, placedBy, sources, unique } from './behind.js';
import { descriptor, type Node, node, yaml } from './descriptor.js';
import { callbackTypes, events } from './events.js';
import { aroundNames, documentedNames, type RecordName } from './table.js';

const ALL = { create: true, fetch: true, update: true, delete: true };

/** What D36, D63 and the endpoints of the web hook name. */
const actions: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  webhook: ['exchange', 'test'],
  receipt: ['ship', 'refund'],
  game: ['copy', 'public'],
};

const names: readonly RecordName[] = [...documentedNames, ...aroundNames];

describe.each(names)('%s', (name) => {
  const said = descriptor(name);
  const fields = Object.entries(node(said.fields)).map(([key, field]) => [key, node(field)] as const);
  const having = (holds: (field: Node) => boolean) => fields.filter(([, field]) => holds(field)).map(([key]) => key);

  test('placement', () => {
    expect(having((field) => field.place === true)).toEqual(placedBy[name] === null ? [] : [placedBy[name]]);
    expect(having((field) => field.inside === true)).toEqual(inside[name] ?? []);
    expect(said.principal === true).toBe(name === 'user');
  });

  test('order, uniqueness, operations', () => {
    expect(said.order).toEqual(order[name]);
    expect(having((field) => field.filter === true)).toEqual(filters[name] ?? []);
    const alone = having((field) => field.unique === true).map((key) => [key]);
    const together = (said.unique ?? []) as readonly unknown[];
    expect([...together, ...alone]).toEqual(unique[name] ?? []);
    const words = fields.flatMap(([key, { unique: word }]) => (typeof word === 'string' ? [[key, word]] : []));
    expect(Object.fromEntries(words)).toEqual(lookups[name] ?? {});
    // What is not named is for everybody with access; who lists all records is no operation of the document.
    const { list: _, ...four } = node(said.operations);
    expect({ ...ALL, ...four }).toEqual({ ...ALL, ...operations[name] });
    expect(said.served_by).toBe(name === 'webhook' ? 'webhooks' : undefined);
  });

  test('where values come from', () => {
    const found = fields.flatMap(([key, field]) => source(field).map((from) => [`${name}.${key}`, from] as const));
    const expected = Object.entries(sources).filter(([key]) => key.startsWith(`${name}.`));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(having((field) => field.set === 'admin')).toEqual(administratorsSet[name] ?? []);
    for (const [key, field] of fields) expect([key, field.kind]).toEqual([key, expect.any(String)]);
  });

  test('what other records show of it, and uploads', () => {
    expect(said.brief).toEqual(name === 'file' ? brief : undefined);
    expect(said.upload).toEqual(
      name === 'file' ? { part: 'file', max_bytes: 52428800, uses: 'references' } : undefined,
    );
    expect(Object.keys(node(said.actions))).toEqual(actions[name] ?? []);
  });
});

test('events, their owners and payloads', () => {
  const spec = yaml('events.yaml');
  expect(Object.keys(node(spec.events)).sort()).toEqual(Object.keys(events).sort());
  for (const [name, event] of Object.entries(events)) {
    const said = node(node(spec.events)[name]);
    expect(said.owner_class).toBe(event.ownerClass);
    expect(said.summary).toEqual(expect.any(String));
    expect(node(spec.owner_classes)[event.ownerClass]).toBe(event.owner);
    const { record, schema } = node(said.payload);
    expect(record ? { record } : leaves(node(schema))).toEqual(event.payload);
  }
  const types = Object.entries(node(spec.callback_types)).map(([type, each]) => [type, node(each).payload]);
  expect(Object.fromEntries(types)).toEqual(callbackTypes);
  const { event, owner_class } = node(descriptor('webhook').fields);
  expect(node(event).values).toEqual(Object.keys(events));
  expect(node(owner_class).values).toEqual([...new Set(Object.values(events).map((each) => each.ownerClass))]);
});

/** `copy set.identity`, `count pages`, `text …`, `from random`, `default session.user`; nothing for what is sent. */
function source(field: Node): readonly string[] {
  const { copy, count, text, from, default: fallback } = field;
  if (copy !== undefined) return [`copy ${String(copy)}`];
  if (count !== undefined) return [`count ${String(count)}`];
  if (field.kind === 'computed') return [`text ${String(text)}`];
  if (from !== undefined) return [`from ${String(from)}`];
  if (node(fallback).copy !== undefined) return [`default ${String(node(fallback).copy)}`];
  return typeof fallback === 'string' && /^[a-z]+\.[a-z]+$/.test(fallback) ? [`default ${fallback}`] : [];
}

/** Dotted paths of a schema to the types at their ends. */
function leaves(schema: Node, prefix = ''): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(node(schema.properties)).flatMap(([key, value]) => {
      const at = `${prefix}${key}`;
      const inner = node(value);
      return inner.type === 'object' ? Object.entries(leaves(inner, `${at}.`)) : [[at, inner.type]];
    }),
  );
}
