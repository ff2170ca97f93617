// What the document's pieces about one resource read of the others, and nothing else of them. Makes no piece.

import type { Model, Resource } from '../../model.js';

/** For each resource the model as its pieces see it: itself whole, of the others only what is read. */
export function neighbourhoods(model: Model): (resource: Resource) => Model {
  const byName = new Map(model.resources.map((one) => [one.name, one]));
  const children = new Map<string, Resource[]>();
  for (const child of model.resources) {
    for (const parent of new Set(child.lists.map((list) => list.parent))) {
      children.set(parent, [...(children.get(parent) ?? []), child]);
    }
  }
  return (resource) => {
    const near = new Map<string, Resource>();
    const add = (name: string, known: Partial<Resource>): void => {
      near.set(name, { ...(near.get(name) ?? { ...NOTHING, name }), ...known });
    };
    for (const { name, lists } of children.get(resource.name) ?? []) {
      add(name, { lists: lists.filter(({ parent }) => parent === resource.name) });
    }
    for (const owner of named(byName, resource.lists, ({ parent }) => parent)) add(owner.name, asOwner(owner));
    for (const target of named(byName, resource.references, ({ to }) => to)) add(target.name, asDescribed(target));
    near.set(resource.name, resource);
    const resources = [...near.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return { ...model, title: '', version: '', summary: '', revision: 0, events: [], resources };
  };
}

function named<T>(byName: ReadonlyMap<string, Resource>, all: readonly T[], name: (one: T) => string): Resource[] {
  return all.flatMap((one) => byName.get(name(one)) ?? []);
}

/** What the lists that hang on it say of it. */
function asOwner({ title, access, operations, endings }: Resource): Partial<Resource> {
  return { title, access, operations, endings: endings.filter(({ field }) => field === null) };
}

/** What records show that refer to it. */
function asDescribed({ brief, properties }: Resource): Partial<Resource> {
  return { brief, properties: properties.filter(({ name }) => brief.includes(name)) };
}

/** A resource of which nothing is read. */
const NOTHING = {
  number: 0,
  plural: '',
  title: '',
  summary: '',
  source: '',
  constant: '',
  typeFields: [],
  principal: false,
  upload: null,
  servedBy: null,
  operations: { create: null, fetch: null, update: null, delete: null },
  paths: [],
  columns: [],
  parameters: [],
  properties: [],
  references: [],
  ignored: [],
  access: { read: [], edit: [], rights: {}, hidden: false },
  lists: [],
  order: [],
  sortable: [],
  filters: [],
  uniques: [],
  indexes: [],
  brief: [],
  actions: [],
  lifecycle: [],
  endings: [],
} as unknown as Resource;
