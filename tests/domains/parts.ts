// What a random resource states about its parent and about itself as a part: short or in full, counted, copied, in lists of its
// own, joined by members. Does no checks: `check` does.
import type { Drawn, Resource } from './domain.js';
import type { Field, Fields } from './fields.js';

/** The reference to the parent, and the name that other keys use for it. */
export interface PlacedPart {
  readonly field: Field;
  readonly word: string;
}

export function part({ chance, names, resources }: Drawn, by: string, to: string): PlacedPart {
  const fields = fieldsOf(resources, to);
  const [through] = Object.keys(fields).filter((name) => fields[name]?.place === true);
  const lists = through !== undefined && chance.happens(0.4) ? { lists: { [names.field()]: { through } } } : {};
  const target = by === to && chance.happens(0.7) ? {} : { to };
  if (chance.happens(0.6)) {
    const listKeys = chance.happens(0.3) ? { on_delete: 'restrict', list: names.field() } : {};
    const bulk = chance.happens(0.5) ? { bulk: chance.happens(0.8) } : {};
    return { field: { kind: 'reference', ...target, parent: true, ...listKeys, ...bulk, ...lists }, word: 'parent' };
  }
  const list = chance.happens(0.8) ? { list: true } : {};
  const spelt = { required: true, need: 'edit', place: true, on_delete: chance.one(['cascade', 'restrict']) };
  return { field: { kind: 'reference', ...target, ...spelt, ...list, ...lists }, word: by };
}

export function fieldsOf(resources: readonly Resource[], name: string): Fields {
  return (resources.find((one) => one.name === name)?.keys as { fields?: Fields } | undefined)?.fields ?? {};
}

/** Texts that everyone who may read the record sees. */
function openTexts(fields: Fields): readonly string[] {
  return Object.keys(fields).filter(
    (name) => fields[name]?.kind === 'text' && fields[name]?.view === undefined && !name.includes('{n}'),
  );
}

/** Fields that show, or start with, values of the parent. */
export function copies({ chance, names, resources }: Drawn, to: string, word: string): Fields {
  const fields = fieldsOf(resources, to);
  const texts = openTexts(fields);
  if (texts.length === 0 || chance.happens(0.5)) return {};
  const name = chance.one(texts);
  const copy = `${word}.${name}`;
  // An optional field cannot be copied as a default.
  const isThere = fields[name]?.required === true || fields[name]?.default !== undefined;
  return {
    [names.field()]:
      isThere && chance.happens(0.6)
        ? { kind: 'text', default: { copy }, description: names.text() }
        : { kind: 'computed', copy, description: names.text() },
  };
}

/** A value for each of some fields that callers can send, by which lists and actions select records. */
export function literals({ chance }: Drawn, fields: Fields): Readonly<Record<string, unknown>> {
  const known = Object.entries(fields).flatMap(([name, field]) => {
    const value = someValue(field);
    return value === undefined || field.unique || field.set === 'admin' || field.view !== undefined
      ? []
      : [[name, value] as const];
  });
  return known.length === 0 ? {} : Object.fromEntries([chance.one(known)]);
}

function someValue({ kind, values }: Field): unknown {
  if (Array.isArray(values)) return values.at(-1);
  if (typeof values === 'object' && values !== null) return Object.keys(values).at(-1);
  return ({ boolean: true, text: 'plain', integer: 10, day: '2030-01-31' } as Readonly<Record<string, unknown>>)[kind];
}

/** Further lists of the records of a parent: those with a certain value, or one list for each value. */
export function moreLists(drawn: Drawn, fields: Fields, own: Field): object {
  const { chance, names } = drawn;
  const where = literals(drawn, fields);
  const each = Object.keys(fields).filter(
    (name) => fields[name]?.kind === 'enum' && fields[name]?.view === undefined && haveLists(fields[name]?.values),
  );
  return {
    ...(Object.keys(where).length > 0 && chance.happens(0.3)
      ? { lists: { ...(own.lists as object | undefined), [names.field()]: { where } } }
      : {}),
    ...(each.length > 0 && chance.happens(0.4) ? { list_each: chance.one(each) } : {}),
  };
}

interface Listing {
  /** The resource that has the lists. */
  readonly to: string;
  readonly items: Fields;
  /** The reference of the listed records. */
  readonly field: Field;
  readonly plural: string;
}

/** Adds to the parent the count of a list, or the sum or maximum of a field over it. */
export function counted({ chance, names, resources }: Drawn, { to, items, field, plural }: Listing): void {
  const at = resources.findIndex(({ name }) => name === to);
  const parent = resources[at];
  const ownLists = field.list === undefined ? [] : [typeof field.list === 'string' ? field.list : plural];
  const otherLists = Object.entries((field.lists ?? {}) as Readonly<Record<string, { readonly through?: string }>>);
  const lists = [...ownLists, ...otherLists.flatMap(([name, { through }]) => (through === undefined ? [name] : []))];
  if (parent === undefined || lists.length === 0 || chance.happens(0.6)) return;
  const list = chance.one(lists);
  const open = Object.entries(items).filter(([name, { view }]) => view === undefined && !name.includes('{n}'));
  const of = (kinds: readonly string[]) => open.filter(([, { kind }]) => kinds.includes(kind)).map(([name]) => name);
  const [whole, ordered] = [of(['integer']), of(['integer', 'date', 'day'])];
  const keys = chance.one([
    { count: list },
    ...(whole.length === 0 ? [] : [{ sum: `${list}.${chance.one(whole)}` }]),
    ...(ordered.length === 0 ? [] : [{ latest: `${list}.${chance.one(ordered)}` }]),
  ]);
  const computed: Field = { kind: 'computed', ...keys, description: names.text() };
  const fields = { ...fieldsOf(resources, to), [names.field()]: computed };
  resources[at] = { ...parent, keys: { ...parent.keys, fields } };
}

/** Adds a resource whose records give users a right, as members of the record itself or of its parent. */
export function members({ chance, names, principal }: Drawn, of: string, parent: { by: string; to: string } | null) {
  const name = names.resource();
  const isOwn = parent === null || chance.happens(0.5);
  const by = isOwn ? names.field() : parent.by;
  const role = chance.happens(0.5) ? { role: { kind: 'enum', values: ['plain', 'chief'], default: 'plain' } } : {};
  const clause = { member: name, by, ...('role' in role ? { where: { role: 'chief' } } : {}) };
  const fields = {
    [by]: { kind: 'reference', to: isOwn ? of : parent.to, parent: true },
    [names.field()]: { kind: 'reference', to: principal, required: true, need: 'exists', on_delete: 'cascade' },
    ...role,
  };
  const keys = { title: names.text(), summary: names.text(), ...names.plural(name), fields, access: { edit: [by] } };
  return { clause, resource: { name, parent: isOwn ? of : parent.to, keys } satisfies Resource };
}

/** Whether every value names its list, or is a valid name of one. */
export function haveLists(values: unknown): boolean {
  if (Array.isArray(values)) return values.every((value) => /^[a-z]+$/.test(String(value)));
  return Object.entries(Object(values)).every(
    ([name, said]) => /^[A-Za-z]+$/.test(name) || Object(said).list !== undefined,
  );
}
