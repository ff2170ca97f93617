// A random project nobody has seen: names, kinds, references, who logs in and what stores uploads. Holds no test, judges nothing.
import { stringify } from 'yaml';
import type { SourceFile } from '../../generator/load/load.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { withCatalogue } from './catalogue.js';
import { drawFields, type Field, type Fields } from './fields.js';
import { hidden, identities, operations, order, uniques } from './keys.js';
import { Names } from './names.js';

export interface Resource {
  readonly name: string;
  /** Whose records its own are: the principal, another resource, or nobody's. */
  readonly parent: string | null;
  readonly keys: Readonly<Record<string, unknown>>;
}

/** What is drawn so far, as later resources may refer to it. */
export interface Drawn {
  readonly chance: Chance;
  readonly names: Names;
  readonly principal: string;
  /** Null: nothing stores uploads. */
  readonly uploads: string | null;
  readonly resources: Resource[];
}

/** The files of a spec. @param seed the same one gives the same files */
export function domainOf(seed: number): readonly SourceFile[] {
  const chance = chanceOf(seed);
  const names = new Names(chance);
  const principal = names.resource();
  const drawn: Drawn = {
    chance,
    names,
    principal,
    uploads: chance.happens(0.7) ? names.resource() : null,
    resources: [],
  };
  drawn.resources.push(whoLogsIn(drawn));
  if (drawn.uploads !== null) drawn.resources.push(storeOfUploads(drawn, drawn.uploads));
  const count = 1 + chance.below(3);
  for (let at = 0; at < count; at++) drawn.resources.push(another(drawn));
  const made = making(drawn);
  const all = drawn.resources
    .map((resource) => (resource.name === made?.parent ? having(resource, made.field) : resource))
    .map((resource) => copied(drawn, resource));
  const { shared, resources } = withCatalogue(seed, all);
  return [
    file('conventions.yaml', { title: 'Domain', version: '1.0.0', summary: names.text(), ...shared }),
    ...resources.map(({ name, keys }) => file(`resources/${name}.yaml`, keys)),
  ];
}

/** With an action that copies, now and then; drawn last, so that a seed draws the same things beside it. */
function copied({ chance, names, principal, uploads }: Drawn, resource: Resource): Resource {
  const { name, keys } = resource;
  const fields = Object.entries(keys.fields as Fields);
  const [text] = fields.filter(([, { kind, set }]) => kind === 'text' && set === undefined).map(([field]) => field);
  if (text === undefined || name === principal || name === uploads || !chance.happens(0.3)) return resource;
  const action = { title: names.text(), copies: text, ...(chance.happens(0.3) ? { by: 'admin' } : {}) };
  return { ...resource, keys: { ...keys, actions: { [names.field()]: action } } };
}

function file(path: string, value: object): SourceFile {
  return { path: `spec/${path}`, text: stringify(value, { aliasDuplicateObjects: false }) };
}

/** A reference whose target is made with the record: one that needs nothing, and that goes with nothing else. */
function making({ chance, names, resources, uploads }: Drawn) {
  const fits = resources.filter(
    ({ name, parent, keys }) =>
      parent !== null &&
      name !== uploads &&
      Object.values(fieldsIn(keys)).every(
        ({ place, required, on_delete, default: word }) =>
          place === true || (required !== true && on_delete !== 'cascade' && word !== 'session.user'),
      ),
  );
  if (fits.length === 0 || chance.happens(0.5)) return null;
  const { name, parent, keys } = chance.one(fits);
  const flags = Object.entries(fieldsIn(keys)).filter(([, { kind }]) => kind === 'boolean');
  const make = Object.fromEntries(flags.map(([flag]) => [flag, true]));
  return { parent, field: { [names.field()]: { kind: 'reference', to: name, make } } };
}

function having(resource: Resource, field: Fields): Resource {
  return { ...resource, keys: { ...resource.keys, fields: { ...fieldsIn(resource.keys), ...field } } };
}

function fieldsIn(keys: Resource['keys']): Fields {
  return keys.fields as Fields;
}

function head({ names, chance }: Drawn, name: string) {
  return {
    ...(chance.happens(0.5) ? { resource: name } : {}),
    title: names.text(),
    summary: names.text(),
    ...names.plural(name),
  };
}

function whoLogsIn(drawn: Drawn): Resource {
  const { principal, chance } = drawn;
  const fields: Fields = {
    username: { kind: 'text', required: true, min: 1, max: 60, unique: true },
    password: { kind: 'password', required: true },
    admin: { kind: 'boolean', default: false, set: 'admin', view: 'editor' },
    ...drawFields(drawn, { count: chance.below(3), rights: [], optional: true }),
  };
  const operations = {
    create: 'admin',
    fetch: true,
    update: true,
    delete: chance.happens(0.5) ? 'admin' : false,
  };
  const access = { read: 'anyone', edit: ['self'] };
  return {
    name: principal,
    parent: null,
    keys: { ...head(drawn, principal), principal: true, operations, fields, access },
  };
}

/** A reference to whoever made the record. */
function owner({ principal, chance }: Drawn): Field {
  return {
    kind: 'reference',
    to: principal,
    default: 'session.user',
    need: 'edit',
    place: true,
    on_delete: 'restrict',
    ...(chance.happens(0.7) ? { list: true } : {}),
  };
}

function storeOfUploads(drawn: Drawn, name: string): Resource {
  const { names, chance } = drawn;
  const by = names.field();
  const fields: Fields = {
    name: { kind: 'text', max: 255, default: 'upload.name' },
    [by]: owner(drawn),
    file_type: { kind: 'text', from: 'upload.type' },
    file_size: { kind: 'integer', from: 'upload.size' },
    image_width: { kind: 'integer', from: 'upload.width' },
    image_height: { kind: 'integer', from: 'upload.height' },
    content_hash: { kind: 'text', from: 'upload.hash', view: 'nobody' },
    access_key: { kind: 'text', from: 'random', view: 'nobody' },
    file_uri: { kind: 'computed', text: '/files/{id}/{access_key}' },
    ...drawFields(drawn, { count: chance.below(3), rights: [], optional: true }),
  };
  const brief = ['id', 'name', 'file_type', 'file_size', 'image_width', 'image_height', 'file_uri'];
  const keys = {
    upload: { part: names.field(), max_bytes: 100_000 },
    fields,
    brief,
    access: { read: [by], edit: [by] },
  };
  return { name, parent: drawn.principal, keys: { ...head(drawn, name), ...keys } };
}

/** Somebody's own, a part of something else, or nobody's. */
function another(drawn: Drawn): Resource {
  const { chance, names } = drawn;
  const name = names.resource();
  const owned = drawn.resources.filter(({ parent, name: of }) => parent !== null && of !== drawn.uploads);
  const kind = chance.weighted([
    [3, 'owned'],
    [owned.length > 0 ? 4 : 0, 'part'],
    [1, 'free'],
  ] as const);
  const by = names.field();
  const rights = chance.happens(0.3) ? [names.field()] : [];
  const own = drawFields(drawn, { count: 1 + chance.below(6), rights, optional: false });
  const parent = kind === 'owned' ? drawn.principal : kind === 'part' ? chance.one(owned).name : null;
  const variants = identities(drawn);
  const each = Array.isArray(variants.identities ?? []) ? {} : { list_each: 'identity' };
  const placed: Fields =
    kind === 'owned'
      ? { [by]: { ...owner(drawn), ...each } }
      : kind === 'part'
        ? { [by]: { ...part(drawn, parent ?? ''), ...each } }
        : {};
  const fields = { ...placed, ...references(drawn), ...own };
  const open = chance.happens(0.7) ? 'anyone' : [by];
  const access = parent === null ? { read: 'anyone', edit: [] } : { read: open, edit: [by], ...hidden(drawn, open) };
  const keys = {
    ...head(drawn, name),
    ...variants,
    ...(parent === null
      ? { operations: { create: 'admin', update: 'admin', delete: 'admin', list: chance.one(['anyone', 'session']) } }
      : operations(drawn)),
    fields,
    access: {
      ...access,
      ...Object.fromEntries(rights.map((right) => [right, parent === null ? 'anyone' : ['editor']])),
    },
    ...uniques(drawn, fields),
    ...order(drawn, fields),
    ...(chance.happens(0.2) ? { paths: { fetch: `/${name}s` } } : {}),
    ...(chance.happens(0.2) ? { type_field: names.field() } : {}),
    ...(chance.happens(0.2) ? { ignores: [names.field()] } : {}),
  };
  return { name, parent, keys };
}

function part({ chance, names, resources }: Drawn, to: string): Field {
  const list = chance.happens(0.8) ? { list: true } : {};
  const fields = (resources.find(({ name }) => name === to)?.keys as { fields?: Fields } | undefined)?.fields ?? {};
  const [through] = Object.keys(fields).filter((name) => fields[name]?.place === true);
  const lists = through !== undefined && chance.happens(0.4) ? { lists: { [names.field()]: { through } } } : {};
  return {
    kind: 'reference',
    to,
    required: true,
    need: 'edit',
    place: true,
    on_delete: chance.one(['cascade', 'restrict']),
    ...list,
    ...lists,
  };
}

/** References that give no placement, with lists on what they name. */
function references({ chance, names, resources }: Drawn): Fields {
  const made: Record<string, Field> = {};
  while (chance.happens(0.35)) {
    const to = chance.one(resources);
    const required = chance.happens(0.3);
    made[names.field()] = {
      kind: 'reference',
      to: to.name,
      ...(required ? { required } : {}),
      need: to.parent === null ? 'exists' : chance.one(['exists', 'use', 'edit']),
      on_delete: chance.one(required ? ['cascade', 'restrict'] : ['cascade', 'restrict', 'set_null']),
      ...(chance.happens(0.4) ? { list: names.field() } : {}),
      ...(chance.happens(0.3) ? { filter: true } : {}),
    };
  }
  return made;
}
