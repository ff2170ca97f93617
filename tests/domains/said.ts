// Writes the same descriptors in other ways: with conventions, repeated fields and short forms. Does no checks.
import type { Drawn, Resource } from './domain.js';
import type { Fields } from './fields.js';

type Conventions = Readonly<Record<string, object>>;

/** The keys of a resource, some of which may move to a convention. */
type DescriptorTexts = {
  readonly fields: Fields;
  readonly order?: unknown;
  readonly ignores?: unknown;
  readonly extends?: string;
};

/** Moves part of the keys of some resources to conventions, one or two each, and drops a field of one. */
export function byConventions({ chance, names }: Drawn, resources: readonly Resource[]) {
  const conventions: Record<string, object> = {};
  const reworded = resources.map((resource): Resource => {
    const { fields, order, ignores, extends: more = [], ...keys } = resource.keys as DescriptorTexts;
    if (chance.happens(0.6)) return resource;
    const ownKeys: Record<string, unknown> = {};
    const [first, second] = [names.field(), names.field()];
    const shared: Record<string, Record<string, unknown>> = { [first]: {}, [second]: {} };
    for (const [name, field] of Object.entries(fields)) {
      const to = chance.one([ownKeys, ownKeys, shared[first], shared[second]]);
      if (to !== undefined) to[name] = field;
    }
    if (chance.happens(0.5)) {
      const dropped = names.field();
      (shared[first] ?? {})[dropped] = { kind: 'text', description: names.text() };
      ownKeys[dropped] = null;
    }
    conventions[first] = { fields: shared[first], ...(ignores === undefined ? {} : { ignores }) };
    conventions[second] = { fields: shared[second], ...(order === undefined ? {} : { order }) };
    const both = { extends: [more, first, second].flat() };
    return { ...resource, keys: { ...keys, ...both, fields: ownKeys } };
  });
  return { resources: reworded, conventions: conventions as Conventions };
}

/** Writes fields that state only their kind in the short form. */
export function inShort({ chance }: Drawn, { keys, ...resource }: Resource): Resource {
  const { fields, ...others } = keys as { readonly fields: Fields };
  const short = Object.entries(fields).map(([name, field]) => {
    const { kind, description, ...more } = field;
    return [name, Object.keys(more).length === 0 && chance.happens(0.8) ? kind : field];
  });
  return { ...resource, keys: { ...others, fields: Object.fromEntries(short) } };
}

/** A few repeated fields of one kind, with a key of its own for one of them. */
export function repeated({ chance, names }: Drawn): Fields {
  if (chance.happens(0.7)) return {};
  const name = names.field();
  const kind = chance.one(['text', 'integer', 'boolean', 'day', 'decimal']);
  const all = { kind, times: 2 + chance.below(3), synonyms: [`${name}_no_{n}`], description: 'Number {n}.' };
  return {
    [`${name}_{n}`]: all,
    ...(chance.happens(0.5) ? { [`${name}_2`]: { view: 'editor' } as never } : {}),
  };
}
