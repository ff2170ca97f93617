// Random keys of a resource beside its fields. Judges nothing: `check` does.
import type { Drawn } from './domain.js';
import type { Fields } from './fields.js';

export function hidden({ chance }: Drawn, open: unknown): object {
  return open !== 'anyone' && chance.happens(0.3) ? { hidden: true } : {};
}

export function operations({ chance }: Drawn): object {
  if (chance.happens(0.6)) return {};
  const list = chance.one([undefined, 'admin', 'admin', { by: 'admin' }]);
  const update = chance.one([true, false, { required: 'all' }, 'admin']);
  return {
    operations: {
      create: chance.one([true, 'admin']),
      fetch: true,
      update,
      delete: chance.one([true, false, 'admin']),
      ...(list === undefined ? {} : { list }),
    },
  };
}

/** A list, or a map with the list of each. */
export function identities({ chance, names }: Drawn): { readonly identities?: object } {
  if (chance.happens(0.6)) return {};
  // Those that become paths are nobody else's names.
  const named = chance.happens(0.3);
  const one = (at: number) =>
    named ? names.resource().replace(/^./, (first) => first.toUpperCase()) : `${names.word()}${at}`;
  const all = Array.from({ length: 1 + chance.below(4) }, (_, at) => one(at));
  const said = () => ({
    list: chance.happens(0.2) ? false : names.field(),
    ...(chance.happens(0.5) ? { size: `${1 + chance.below(2000)}x${1 + chance.below(2000)}` } : {}),
    ...(chance.happens(0.5) ? { title: names.text() } : {}),
  });
  return {
    identities: chance.happens(0.5) ? all : Object.fromEntries(all.map((value) => [value, said()])),
    ...(chance.happens(0.4) ? { default_identity: chance.one(all) } : {}),
    ...(named ? { old_names: 'identities' } : chance.happens(0.3) ? { old_names: [names.resource()] } : {}),
  };
}

/** Fields of any kind that together are unique. */
export function uniques({ chance }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter(
    (name) => !['json', 'computed', 'password'].includes(fields[name]?.kind ?? ''),
  );
  if (fit.length === 0 || chance.happens(0.6)) return {};
  const together = Array.from({ length: 1 + chance.below(3) }, () => chance.one(fit));
  return { unique: [[...new Set(together)]] };
}

export function order({ chance }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter(
    (name) => ['text', 'integer', 'date'].includes(fields[name]?.kind ?? '') && fields[name]?.view === undefined,
  );
  if (fit.length === 0 || chance.happens(0.6)) return {};
  const names = [...new Set(Array.from({ length: 1 + chance.below(2) }, () => chance.one(fit)))];
  return { order: names.map((name) => (chance.happens(0.4) ? `-${name}` : name)) };
}
