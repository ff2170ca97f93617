// The forms of the language, read from its own table of keys (every key in every place, and every word that a key can have),
// and the forms that a descriptor uses. A form is a path with a value: `field.lists.*.through`, `field.need=edit`.
import { descriptorSchema, NO_NAMES } from '../../generator/form/descriptor-schema.js';
import type { Keywords } from '../../generator/language/keywords.js';

/** The values of each form in a descriptor, as JSON. */
export type SaidForms = ReadonlyMap<string, readonly string[]>;

const SCHEMA = descriptorSchema(NO_NAMES);

/** Every form of a descriptor. */
export function allForms(): readonly string[] {
  const forms = new Set<string>();
  list(SCHEMA, '', forms);
  return [...forms, ...Object.keys(FURTHER)].filter((form) => !form.endsWith(':')).sort();
}

type Plain = Readonly<Record<string, unknown>>;

/** Forms that the table of keys does not show, with the values that a descriptor has for them, if any. */
const FURTHER: Readonly<Record<string, (descriptor: Plain) => readonly unknown[]>> = {
  'a default that is copied': ({ fields }) => each(fields, ({ default: said }) => plain(said).copy),
  'a fill from a copy': ({ fields }) => each(fields, ({ fill }) => plain(fill).copy),
  'a fill from a part of a text': ({ fields }) => each(fields, ({ fill }) => plain(fill).words),
  'a fill from texts joined': ({ fields }) => each(fields, ({ fill }) => plain(fill).join),
  'a fill from a function': ({ fields }) => each(fields, ({ fill }) => plain(fill).function),
  'the parent in a copy': ({ fields }) =>
    each(fields, ({ copy, default: said }) => [copy, plain(said).copy].find((one) => /^parent[.]/.test(String(one)))),
  'the parent in access': ({ access }) => each(access, (_, clauses) => items(clauses).find((one) => one === 'parent')),
  'a right of a target': ({ access }) =>
    each(access, (_, clauses) =>
      items(clauses).find((one) => typeof one === 'object' && !Object.hasOwn(plain(one), 'member')),
    ),
  'the parent in unique': ({ unique }) => items(unique).filter((set) => items(set).includes('parent')),
  'a path by a unique value': ({ fields }) =>
    each(fields, ({ unique }) => (typeof unique === 'string' ? unique : undefined)),
  'an order in both directions': ({ order }) => {
    const falling = items(order).filter((term) => String(term).startsWith('-'));
    return falling.length > 0 && falling.length < items(order).length ? [order] : [];
  },
  'a date in a text': ({ fields }) =>
    each(fields, ({ text }) => {
      const named = [...String(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => plain(plain(fields)[name]).kind);
      return named.find((kind) => kind === 'date' || kind === 'day');
    }),
  'a decimal below 0': ({ fields }) =>
    each(fields, ({ kind, min }) => (kind === 'decimal' && Number(min) < 0 ? min : undefined)),
  'a limit with digits after the point': ({ fields }) =>
    each(fields, ({ min, max }) => [min, max].find((one) => typeof one === 'number' && !Number.isInteger(one))),
  'a size in short': ({ identities }) =>
    Array.isArray(identities) ? [] : each(identities, (_, said) => (typeof said === 'string' ? said : undefined)),
  'a name without attributes': ({ identities }) => each(identities, (_, said) => (said === null ? 'none' : undefined)),
  'an inherited field dropped': ({ fields }) => each(fields, (_, said) => (said === null ? 'dropped' : undefined)),
  'several conventions': ({ extends: said }) => (items(said).length > 1 ? [said] : []),
  'a field beside those it repeats': ({ fields }) =>
    Object.keys(plain(fields)).filter(
      (name) => plain(fields)[name.replace(/\d+$/, '{n}')] !== undefined && !name.includes('{'),
    ),
};

/** Applies `said` to the entries of a map, each as a value and as a map. */
function each(map: unknown, said: (entry: Plain, value: unknown) => unknown): readonly unknown[] {
  return Object.values(plain(map))
    .map((value) => said(plain(value), value))
    .filter((one) => one !== undefined);
}

function plain(value: unknown): Plain {
  return typeof value === 'object' && value !== null ? (value as Plain) : {};
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The forms that a descriptor uses. @param descriptor as YAML parses it */
export function formsIn(descriptor: unknown): SaidForms {
  const found = new Map<string, string[]>();
  visit(SCHEMA, descriptor, { path: '', found });
  for (const [form, said] of Object.entries(FURTHER)) {
    const all = said(plain(descriptor)).map((one) => JSON.stringify(one));
    if (all.length > 0) found.set(form, all);
  }
  return found;
}

/** Fields and other schemas that several keys share are forms of their own, wherever they are used. */
function resolved(schema: Keywords, path: string): { readonly schema: Keywords; readonly path: string } {
  const name = /^#\/definitions\/(\w+)$/.exec(String(schema.$ref))?.[1];
  if (name === undefined) return { schema, path };
  const part = child(child(SCHEMA, 'definitions'), name);
  return resolved(part, name.replace(/_map$/, ''));
}

function list(written: Keywords, at: string, found: Set<string>): void {
  if (Object.keys(written).length === 0) return;
  const { schema, path } = resolved(written, at);
  if (path !== at && found.has(`${path}:`)) return;
  if (path !== at) found.add(`${path}:`);
  for (const word of words(schema)) found.add(`${path}=${word}`);
  for (const [key, value] of Object.entries(child(schema, 'properties'))) {
    found.add(joined(path, key));
    list(value as Keywords, joined(path, key), found);
  }
  for (const key of ['additionalProperties', 'items']) list(child(schema, key), joined(path, '*'), found);
  for (const key of ['then', 'else']) list(child(schema, key), path, found);
}

interface FormPlace {
  readonly path: string;
  readonly found: Map<string, string[]>;
}

function visit(written: Keywords, value: unknown, { path: at, found }: FormPlace): void {
  const { schema, path } = resolved(written, at);
  const say = (form: string, said: unknown): void => {
    const all = found.get(form);
    if (all === undefined) found.set(form, [JSON.stringify(said)]);
    else all.push(JSON.stringify(said));
  };
  for (const word of words(schema)) if (word === value) say(`${path}=${word}`, value);
  for (const key of ['then', 'else']) {
    if (schema[key] !== undefined && matches(child(schema, 'if'), value) === (key === 'then'))
      visit(child(schema, key), value, { path, found });
  }
  if (Array.isArray(value)) {
    for (const item of value) visit(child(schema, 'items'), item, { path: joined(path, '*'), found });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const known = child(schema, 'properties');
  for (const [key, inner] of Object.entries(value)) {
    if (known[key] !== undefined) {
      say(joined(path, key), inner);
      visit(known[key] as Keywords, inner, { path: joined(path, key), found });
    } else visit(child(schema, 'additionalProperties'), inner, { path: joined(path, '*'), found });
  }
}

/** Whether the value has the type or the keys that the condition names. */
function matches({ type, required }: Keywords, value: unknown): boolean {
  if (Array.isArray(required)) return required.every((key) => Object.hasOwn(plain(value), String(key)));
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'null' ? value === null : typeof value === type;
}

/** The words and truth values that the schema lists. */
function words({ enum: listed, type }: Keywords): readonly unknown[] {
  return Array.isArray(listed) ? listed : type === 'boolean' ? [true, false] : [];
}

function child(schema: Keywords, key: string): Keywords {
  const keyword = schema[key];
  return typeof keyword === 'object' && keyword !== null ? (keyword as Keywords) : {};
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
