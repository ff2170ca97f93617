// A random project: names, kinds, references, the principal and the store of uploads.
import { stringify } from 'yaml';
import type { SourceFile } from '../../generator/load/load.js';
import { type Chance, chanceOf } from '../support/chance.js';
import { withCatalogue } from './catalogue.js';
import { drawFields, type Field, type Fields } from './fields.js';
import { actions, brief, existing, hidden, identities, operations, order, paths, uniques } from './keys.js';
import { Names, pluralOf } from './names.js';
import { copies, counted, haveLists, literals, members, moreLists, part } from './parts.js';
import { byConventions, inShort, repeated } from './said.js';

export interface Resource {
  readonly name: string;
  /** The owner of its records: the principal, another resource, or null for nobody. */
  readonly parent: string | null;
  readonly keys: Readonly<Record<string, unknown>>;
}

/** What has been drawn so far, since later resources may refer to it. */
export interface Drawn {
  readonly chance: Chance;
  readonly names: Names;
  readonly principal: string;
  /** Null if nothing stores uploads. */
  readonly uploads: string | null;
  readonly resources: Resource[];
}

/** The files of a spec. @param seed the same seed gives the same files */
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
  for (let at = 0; at < count; at++) drawn.resources.push(...another(drawn));
  const created = drawMake(drawn);
  const all = drawn.resources
    .map((resource) => (resource.name === created?.parent ? withField(resource, created.field) : resource))
    .map((resource) => withCopyAction(drawn, resource));
  const { shared, resources } = withCatalogue(seed, all);
  const reworded = byConventions(
    drawn,
    resources.map((resource) => inShort(drawn, resource)),
  );
  const conventions = { ...(shared as { readonly conventions?: object }).conventions, ...reworded.conventions };
  const service = { title: 'Domain', version: '1.0.0', summary: names.text(), ...shared, conventions };
  return [
    file('conventions.yaml', service),
    ...reworded.resources.map(({ name, keys }) => file(`resources/${name}.yaml`, keys)),
  ];
}

/** Now and then adds an action that copies. It is drawn last, so that a seed gives the same project otherwise. */
function withCopyAction({ chance, names, principal, uploads }: Drawn, resource: Resource): Resource {
  const { name, keys } = resource;
  const fields = Object.entries(keys.fields as Fields);
  const [text] = fields
    .filter(([field, { kind, set }]) => kind === 'text' && set === undefined && !field.includes('{n}'))
    .map(([field]) => field);
  if (text === undefined || name === principal || name === uploads || !chance.happens(0.3)) return resource;
  const action = { title: names.text(), copies: text, ...(chance.happens(0.3) ? { by: 'admin' } : {}) };
  return {
    ...resource,
    keys: { ...keys, actions: { ...(keys.actions as object | undefined), [names.field()]: action } },
  };
}

function file(path: string, value: object): SourceFile {
  return { path: `spec/${path}`, text: stringify(value, { aliasDuplicateObjects: false }) };
}

/** A reference whose target is created with the record: the target needs nothing and is not created with anything else. */
function drawMake({ chance, names, resources, uploads }: Drawn) {
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

function withField(resource: Resource, field: Fields): Resource {
  return { ...resource, keys: { ...resource.keys, fields: { ...fieldsIn(resource.keys), ...field } } };
}

function fieldsIn(keys: Resource['keys']): Fields {
  return keys.fields as Fields;
}

function head({ names, chance }: Drawn, name: string, named = names.plural(name)) {
  return {
    ...(chance.happens(0.5) ? { resource: name } : {}),
    title: names.text(),
    summary: names.text(),
    ...named,
  };
}

function whoLogsIn(drawn: Drawn): Resource {
  const { principal, chance } = drawn;
  const fields: Fields = {
    username: { kind: 'text', required: true, min: 1, max: 60, unique: true },
    password: { kind: 'password', required: true },
    // Without this field nobody is an administrator (N28).
    ...(chance.happens(0.8) ? { admin: { kind: 'boolean', default: false, set: 'admin', view: 'editor' } } : {}),
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

/** A reference to the user who created the record. */
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
    name: { kind: 'text', max: 255, [chance.happens(0.5) ? 'default' : 'from']: 'upload.name' },
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
    upload: { part: names.field(), max_bytes: 100_000, uses: 'uses_of_it' },
    fields,
    brief,
    access: { read: [by], edit: [by] },
  };
  return { name, parent: drawn.principal, keys: { ...head(drawn, name), ...keys } };
}

/** A resource of an owner, a part of another, or a resource of nobody. */
function another(drawn: Drawn): readonly Resource[] {
  const { chance, names } = drawn;
  const name = names.resource();
  const owned = drawn.resources.filter(({ parent, name: of }) => parent !== null && of !== drawn.uploads);
  const kind = chance.weighted([
    [3, 'owned'],
    [owned.length > 0 ? 5 : 0, 'part'],
    [1, 'free'],
  ] as const);
  const parent = kind === 'owned' ? drawn.principal : kind === 'part' ? chance.one(owned).name : null;
  const by = parent !== null && !WORDS.includes(parent) && chance.happens(0.3) ? parent : names.field();
  if (kind === 'free' || parent === null) return [nobodys(drawn, name)];
  const placed = kind === 'owned' ? { field: owner(drawn), word: by } : part(drawn, by, parent);
  const named = names.plural(name);
  const placedResources = placedResource(drawn, { name, parent, by, ...placed, named });
  const items = placedResources[0]?.keys.fields as Fields;
  counted(drawn, { to: parent, items, field: items[by] ?? placed.field, plural: named.plural ?? pluralOf(name) });
  return placedResources;
}

/** Clauses of access that are not references. */
const WORDS = ['self', 'editor', 'anyone'];

/** A resource that administrators maintain for everybody. */
function nobodys(drawn: Drawn, name: string): Resource {
  const { chance } = drawn;
  const fields = {
    ...references(drawn, false),
    ...drawFields(drawn, { count: 1 + chance.below(6), rights: [], optional: false }),
  };
  const where = literals(drawn, fields);
  const by = chance.one(['anyone', 'session']);
  const texts = Object.keys(fields).filter(
    (one) => fields[one]?.kind === 'text' && Number(fields[one]?.max) <= 1000 && fields[one]?.view === undefined,
  );
  const search = texts.length > 0 && chance.happens(0.6) ? { search: [chance.one(texts)] } : {};
  const listKeys = { ...(Object.keys(where).length > 0 && chance.happens(0.5) ? { where } : {}), ...search };
  const list = Object.keys(listKeys).length > 0 ? { by, ...listKeys } : by;
  const keys = {
    ...head(drawn, name),
    operations: { create: 'admin', update: 'admin', delete: 'admin', list },
    fields,
    access: { read: 'anyone', edit: [] },
    ...rest(drawn, name, fields),
  };
  return { name, parent: null, keys };
}

interface FieldPlace {
  readonly name: string;
  readonly parent: string;
  /** The reference to the parent, and how other keys name it. */
  readonly by: string;
  readonly field: Field;
  readonly word: string;
  readonly named: { readonly plural?: string };
}

function placedResource(drawn: Drawn, { name, parent, by, field, word, named }: FieldPlace): readonly Resource[] {
  const { chance, names } = drawn;
  const rights = chance.happens(0.3) ? [names.field()] : [];
  const drawnFields = drawFields(drawn, { count: 1 + chance.below(6), rights, optional: false });
  const own = { ...repeated(drawn), ...drawnFields, ...copies(drawn, parent, word) };
  const variants = identities(drawn);
  const each = variants.identities !== undefined && haveLists(variants.identities) ? { list_each: 'identity' } : {};
  const reference = { ...field, ...moreLists(drawn, drawnFields, field), ...each };
  const fields = { [by]: reference, ...references(drawn, true), ...own };
  const joined = chance.happens(0.2)
    ? members(drawn, name, parent === drawn.principal ? null : { by, to: parent })
    : null;
  const few = [word, ...(chance.happens(0.5) ? [{ read: word }] : [])];
  const open = chance.happens(0.7) ? 'anyone' : few;
  const edit = [word, ...(joined === null ? [] : [joined.clause])];
  const own_rights = Object.fromEntries(rights.map((right) => [right, ['editor']]));
  const otherKeys = rest(drawn, name, fields);
  const keys = {
    ...head(drawn, name, named),
    ...variants,
    ...operations(drawn),
    fields,
    access: { read: open, edit, ...hidden(drawn, open), ...own_rights },
    ...otherKeys,
    ...actions(drawn, drawnFields, otherKeys),
    ...(word === 'parent' ? existing(drawn, fields) : {}),
  };
  return [{ name, parent, keys }, ...(joined === null ? [] : [joined.resource])];
}

/** Keys that any resource can have. */
function rest(drawn: Drawn, name: string, fields: Fields): object {
  const { chance, names } = drawn;
  return {
    ...uniques(drawn, fields),
    ...order(drawn, fields),
    ...paths(drawn, name),
    ...brief(drawn, fields),
    ...(chance.happens(0.2) ? { type_field: names.field() } : {}),
    ...(chance.happens(0.2) ? { type_name: names.text() } : {}),
    ...(chance.happens(0.2) ? { ignores: [names.field()] } : {}),
    ...(chance.happens(0.1) ? { deprecated: '2029-01-01', sunset: '2030-01-01' } : {}),
  };
}

/** The rights that it names besides those of every resource. */
function rightsOf({ keys }: Resource): readonly string[] {
  return Object.keys(keys.access ?? {}).filter((name) => !['read', 'edit', 'hidden'].includes(name));
}

/** References that do not determine the placement, with lists on their targets. */
function references({ chance, names, resources, principal }: Drawn, placed: boolean): Fields {
  const made: Record<string, Field> = {};
  while (chance.happens(0.35)) {
    const to = chance.one(resources);
    const required = chance.happens(0.3);
    made[names.field()] = {
      kind: 'reference',
      to: to.name,
      ...(required ? { required } : {}),
      need: to.parent === null ? 'exists' : chance.one(['exists', 'read', 'use', 'edit', ...rightsOf(to)]),
      on_delete: chance.one(required ? ['cascade', 'restrict'] : ['cascade', 'restrict', 'set_null']),
      ...(chance.happens(0.4) ? { list: names.field() } : {}),
      ...(chance.happens(0.3) ? { filter: true } : {}),
      ...(chance.happens(0.1) ? { place: false } : chance.happens(0.1) ? { parent: false } : {}),
      ...(chance.happens(0.2) ? { shown_as: [`${names.field()}_id`] } : {}),
      ...('brief' in to.keys && chance.happens(0.5) ? { describe: chance.happens(0.7) } : {}),
      ...(placed && to.parent !== null && chance.happens(0.3) ? { inside: chance.happens(0.7) } : {}),
    };
  }
  if (chance.happens(0.15))
    made[names.field()] = { kind: 'reference', to: principal, from: 'session.user', on_delete: 'set_null' };
  return made;
}
