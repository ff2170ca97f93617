// Random keys of a resource besides its fields. Does no checks: `check` does.
import type { Drawn } from './domain.js';
import type { Field, Fields } from './fields.js';
import { literals } from './parts.js';

export function hidden({ chance }: Drawn, open: unknown): object {
  return open !== 'anyone' && chance.happens(0.4) ? { hidden: chance.happens(0.8) } : {};
}

export function operations({ chance }: Drawn): object {
  if (chance.happens(0.5)) return {};
  const list = chance.one([undefined, 'admin', { by: 'admin' }]);
  const who = [true, true, false, 'session', 'admin', 'anyone'];
  const stated = [{ required: 'all' }, { match: 'required' }, { required: 'all', match: 'required' }];
  const update = chance.one([...who, ...stated]);
  return {
    operations: {
      create: chance.one([true, true, true, 'session', 'admin', 'anyone']),
      // One of them responds at the path of a record.
      fetch: update === false ? true : chance.one(who),
      update,
      delete: chance.one(who),
      ...(list === undefined ? {} : { list }),
    },
  };
}

/** A create that matches an existing record of the same parent and value updates that record. */
export function existing({ chance, names }: Drawn, fields: Fields): object {
  if (Object.values(fields).some(({ unique }) => Boolean(unique)) || chance.happens(0.7)) return {};
  const key = names.field();
  const value: Field = { kind: 'text', required: true, max: 40, description: names.text() };
  return {
    operations: { create: { existing: 'update' } },
    fields: { ...fields, [key]: value },
    unique: [['parent', key]],
  };
}

/** Actions that set fields, and their undo. */
export function actions(
  drawn: Drawn,
  all: Fields,
  { unique = [] }: { readonly unique?: readonly UniqueSet[] },
): object {
  const { chance, names } = drawn;
  const taken = unique.flatMap((set) => ('fields' in set ? set.fields : set));
  const fields = Object.fromEntries(Object.entries(all).filter(([name]) => !taken.includes(name)));
  const sets = literals(drawn, fields);
  const [name] = Object.keys(sets);
  if (name === undefined || chance.happens(0.5)) return {};
  const isFree = fields[name]?.required !== true && fields[name]?.default === undefined;
  const other = fields[name]?.kind === 'boolean' ? false : isFree ? null : sets[name];
  const undo = chance.happens(0.6) ? { undo: { title: names.text(), sets: { [name]: other } } } : {};
  const by = chance.one([{}, { by: 'admin' }, { by: 'editor' }]);
  return { actions: { [names.field()]: { title: names.text(), ...by, sets, ...undo } } };
}

/** More paths, for all operations or for one. */
export function paths({ chance, names }: Drawn, name: string): object {
  if (chance.happens(0.7)) return {};
  const key = chance.one(['all', 'create', 'fetch', 'update', 'delete']);
  const path = `/${name}_${names.field()}`;
  return { paths: { [key]: chance.happens(0.5) ? path : [path, `/v2${path}`] } };
}

/** The properties that other records show. */
export function brief({ chance }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter(
    (name) =>
      ['text', 'integer', 'enum'].includes(fields[name]?.kind ?? '') &&
      fields[name]?.view === undefined &&
      !name.includes('{n}'),
  );
  return fit.length === 0 || chance.happens(0.5) ? {} : { brief: ['id', chance.one(fit)] };
}

/** A list, or a map with the list of each identity. */
export function identities({ chance, names }: Drawn): { readonly identities?: object } {
  if (chance.happens(0.6)) return {};
  // Identities that become paths must not equal other names.
  const named = chance.happens(0.3);
  const one = (at: number) =>
    named ? names.resource().replace(/^./, (first) => first.toUpperCase()) : `${names.word()}${at}`;
  const all = Array.from({ length: 1 + chance.below(4) }, (_, at) => one(at));
  const drawKeys = () => ({
    list: chance.happens(0.2) ? false : names.field(),
    ...(chance.happens(0.5) ? { size: `${1 + chance.below(2000)}x${1 + chance.below(2000)}` } : {}),
    ...(chance.happens(0.5) ? { title: names.text() } : {}),
    ...(chance.happens(0.2) ? { deprecated: '2029-01-01', sunset: '2030-01-01' } : {}),
  });
  const short = () => chance.one([drawKeys(), drawKeys(), '825x1125', null]);
  return {
    identities: chance.happens(0.5) ? all : Object.fromEntries(all.map((value) => [value, short()])),
    ...(chance.happens(0.4) ? { default_identity: chance.one(all) } : {}),
    ...(named ? { old_names: 'identities' } : chance.happens(0.3) ? { old_names: [names.resource()] } : {}),
  };
}

type UniqueSet = readonly string[] | { readonly fields: readonly string[]; readonly where: object };

/** Fields of any kind that are unique together, among all records or among those that meet a condition. */
export function uniques(drawn: Drawn, all: Fields): { readonly unique?: readonly UniqueSet[] } {
  const { chance } = drawn;
  // Rows are filled one after the other, and another row may already have the value.
  const fields = Object.fromEntries(Object.entries(all).filter(([, { fill }]) => typeof fill !== 'object'));
  const fit = Object.keys(fields).filter(
    (name) => !name.includes('{n}') && !['json', 'computed', 'password'].includes(fields[name]?.kind ?? ''),
  );
  if (fit.length === 0 || chance.happens(0.6)) return {};
  const together = Array.from({ length: 1 + chance.below(3) }, () => chance.one(fit));
  const set = [...new Set(together)];
  const where = condition(drawn, Object.fromEntries(Object.entries(fields).filter(([name]) => !set.includes(name))));
  return { unique: [Object.keys(where).length === 0 ? set : { fields: set, where }] };
}

/** A condition that a field has a value or is null; often there is no condition. */
function condition(drawn: Drawn, fields: Fields): object {
  const { chance } = drawn;
  const optional = Object.entries(fields).flatMap(([name, { kind, required, default: value, view }]) => {
    const isEmpty = required !== true && value === undefined && view === undefined && !name.includes('{n}');
    return isEmpty && ['text', 'integer', 'date', 'day'].includes(kind) ? [name] : [];
  });
  if (chance.happens(0.4)) return {};
  return optional.length > 0 && chance.happens(0.6) ? { [chance.one(optional)]: null } : literals(drawn, fields);
}

export function order({ chance }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter(
    (name) =>
      !name.includes('{n}') &&
      ['text', 'integer', 'date'].includes(fields[name]?.kind ?? '') &&
      fields[name]?.view === undefined,
  );
  if (fit.length === 0 || chance.happens(0.6)) return {};
  const names = [...new Set(Array.from({ length: 1 + chance.below(2) }, () => chance.one(fit)))];
  return { order: names.map((name) => (chance.happens(0.4) ? `-${name}` : name)) };
}
