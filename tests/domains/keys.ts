// Random keys of a resource beside its fields. Judges nothing: `check` does.
import type { Drawn } from './domain.js';
import type { Fields } from './fields.js';

export function hidden({ chance }: Drawn, open: unknown): object {
  return open !== 'anyone' && chance.happens(0.3) ? { hidden: true } : {};
}

/** @param open everything is shown: who must send all again sees all */
export function operations({ chance }: Drawn, open: boolean): object {
  if (chance.happens(0.6)) return {};
  const update = chance.one([true, false, open ? { required: 'all' } : true, 'admin']);
  return {
    operations: {
      create: chance.one([true, 'admin']),
      fetch: true,
      update,
      delete: chance.one([true, false, 'admin']),
    },
  };
}

export function identities({ chance, names }: Drawn): object {
  if (chance.happens(0.6)) return {};
  const all = Array.from({ length: 1 + chance.below(4) }, (_, at) => `${names.word()}${at}`);
  return { identities: all, ...(chance.happens(0.4) ? { default_identity: chance.one(all) } : {}) };
}

/** A text that every record has, and a reference or a second text. */
export function uniques({ chance, names }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter((name) => fields[name]?.kind === 'reference');
  if (fit.length === 0 || chance.happens(0.6)) return {};
  const text = names.field();
  return { fields: { ...fields, [text]: { kind: 'text', required: true } }, unique: [[text, chance.one(fit)]] };
}

export function order({ chance }: Drawn, fields: Fields): object {
  const fit = Object.keys(fields).filter(
    (name) => ['text', 'integer', 'date'].includes(fields[name]?.kind ?? '') && fields[name]?.view === undefined,
  );
  return fit.length === 0 || chance.happens(0.6) ? {} : { order: [chance.one(fit)] };
}
