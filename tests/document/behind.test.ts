// Compares the descriptors with behind.ts and events.ts, which cover what no record shows.
import { administratorsSet } from './access.js';
import { brief, filters, inside, lookups, operations, order, placedBy, sources, unique } from './behind.js';
import { descriptor, type Node, node, yaml } from './descriptor.js';
import { callbackTypes, events } from './events.js';
import { aroundNames, documentedNames, type RecordName } from './table.js';

const ALL = { create: true, fetch: true, update: true, delete: true };

/** The actions of D36, of D63 and of the endpoints of web hooks. */
const actions: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  webhook: ['exchange', 'test'],
  receipt: ['ship', 'refund'],
  game: ['copy', 'public'],
};

const names: readonly RecordName[] = [...documentedNames, ...aroundNames];

describe.each(names)('%s', (name) => {
  const spec = descriptor(name);
  const fields = Object.entries(node(spec.fields)).map(([key, field]) => [key, node(field)] as const);
  const keysOf = (holds: (field: Node) => boolean) => fields.filter(([, field]) => holds(field)).map(([key]) => key);

  test('placement', () => {
    expect(keysOf((field) => field.place === true)).toEqual(placedBy[name] === null ? [] : [placedBy[name]]);
    expect(keysOf((field) => field.inside === true)).toEqual(inside[name] ?? []);
    expect(spec.principal === true).toBe(name === 'user');
  });

  test('order, uniqueness and operations', () => {
    expect(spec.order).toEqual(order[name]);
    expect(keysOf((field) => field.filter === true)).toEqual(filters[name] ?? []);
    const alone = keysOf((field) => field.unique === true).map((key) => [key]);
    const together = (spec.unique ?? []) as readonly unknown[];
    expect([...together, ...alone]).toEqual(unique[name] ?? []);
    const words = fields.flatMap(([key, { unique: word }]) => (typeof word === 'string' ? [[key, word]] : []));
    expect(Object.fromEntries(words)).toEqual(lookups[name] ?? {});
    // An operation that is not named is open to everybody with access; listing all records is not an operation of the document.
    const { list: _, ...four } = node(spec.operations);
    expect({ ...ALL, ...four }).toEqual({ ...ALL, ...operations[name] });
    expect(spec.served_by).toBe(name === 'webhook' ? 'webhooks' : undefined);
  });

  test('the sources of values', () => {
    const sourceList = fields.flatMap(([key, field]) => source(field).map((from) => [`${name}.${key}`, from] as const));
    const expected = Object.entries(sources).filter(([key]) => key.startsWith(`${name}.`));
    expect(Object.fromEntries(sourceList)).toEqual(Object.fromEntries(expected));
    expect(keysOf((field) => field.set === 'admin')).toEqual(administratorsSet[name] ?? []);
    for (const [key, field] of fields) expect([key, field.kind]).toEqual([key, expect.any(String)]);
  });

  test('the brief form and uploads', () => {
    expect(spec.brief).toEqual(name === 'file' ? brief : undefined);
    expect(spec.upload).toEqual(
      name === 'file' ? { part: 'file', max_bytes: 52428800, uses: 'references' } : undefined,
    );
    expect(Object.keys(node(spec.actions))).toEqual(actions[name] ?? []);
  });
});

test('the events with their owners and payloads', () => {
  const spec = yaml('events.yaml');
  expect(Object.keys(node(spec.events)).sort()).toEqual(Object.keys(events).sort());
  for (const [name, event] of Object.entries(events)) {
    const described = node(node(spec.events)[name]);
    expect(described.owner_class).toBe(event.ownerClass);
    expect(described.summary).toEqual(expect.any(String));
    expect(node(spec.owner_classes)[event.ownerClass]).toBe(event.owner);
    const { record, schema } = node(described.payload);
    expect(record ? { record } : leaves(node(schema))).toEqual(event.payload);
  }
  const types = Object.entries(node(spec.callback_types)).map(([type, each]) => [type, node(each).payload]);
  expect(Object.fromEntries(types)).toEqual(callbackTypes);
  const { event, owner_class } = node(descriptor('webhook').fields);
  expect(node(event).values).toEqual(Object.keys(events));
  expect(node(owner_class).values).toEqual([...new Set(Object.values(events).map((each) => each.ownerClass))]);
});

/** `copy set.identity`, `count pages`, `text …`, `from random` or `default session.user`; empty if callers send the value. */
function source(field: Node): readonly string[] {
  const { copy, count, text, from, default: fallback } = field;
  if (copy !== undefined) return [`copy ${String(copy)}`];
  if (count !== undefined) return [`count ${String(count)}`];
  if (field.kind === 'computed') return [`text ${String(text)}`];
  if (from !== undefined) return [`from ${String(from)}`];
  if (node(fallback).copy !== undefined) return [`default ${String(node(fallback).copy)}`];
  return typeof fallback === 'string' && /^[a-z]+\.[a-z]+$/.test(fallback) ? [`default ${fallback}`] : [];
}

/** The types at the leaves of a schema, by dotted path. */
function leaves(schema: Node, prefix = ''): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(node(schema.properties)).flatMap(([key, value]) => {
      const at = `${prefix}${key}`;
      const inner = node(value);
      return inner.type === 'object' ? Object.entries(leaves(inner, `${at}.`)) : [[at, inner.type]];
    }),
  );
}
