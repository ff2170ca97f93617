// Rules about limits: some value must satisfy them, enough values for unique fields, and all values that the service fills in.

import { diagnostic } from '../diagnostics/diagnostic.js';
import { defaultOf } from '../language/default-of.js';
import type { RawField, Source } from '../language/language.js';
import { scalar } from '../model/kinds/scalars.js';
import { misfit } from './literal.js';
import type { Project } from './project.js';
import { each, eachField, type RuleTable, targetOf } from './rule.js';
import { at, fieldOf, type Subject } from './subject.js';

/** Limits of a field, those of the language where it has none; null: it has none at all. */
function limitsOf(field: RawField): { readonly min: number; readonly max: number } | null {
  if (field.kind === 'integer') {
    const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = field;
    return { min, max };
  }
  if (field.kind !== 'text' && field.kind !== 'password' && field.kind !== 'url' && field.kind !== 'decimal')
    return null;
  const check = field.kind === 'password' ? { min: field.min ?? 1, max: field.max ?? 255 } : scalar(field).check(field);
  return check === null || !('max' in check) ? null : { min: ('min' in check && check.min) || 0, max: check.max ?? 0 };
}

const someValueKeepsThem = eachField(function* ({ subject, field, pointer }) {
  const limits = limitsOf(field);
  if (limits === null || limits.min <= limits.max) return;
  const place = at(subject, [...pointer, 'min' in field && field.min !== undefined ? 'min' : 'max']);
  yield diagnostic('E0402', place, { min: String(limits.min), max: String(limits.max) });
});

/** The least `min` and `max` of a length: never negative, and with room for at least one character or a short url. */
const LEAST: Readonly<Partial<Record<RawField['kind'], { readonly min: number; readonly max: number }>>> = {
  text: { min: 0, max: 1 },
  password: { min: 0, max: 1 },
  url: { min: 0, max: 32 },
};

const limitsAreLargeEnough = eachField(function* ({ subject, field, pointer }) {
  for (const key of ['min', 'max'] as const) {
    const limit = (field as { min?: number; max?: number })[key];
    if (limit === undefined) continue;
    const place = at(subject, [...pointer, key]);
    const least = LEAST[field.kind]?.[key] ?? 0;
    if (field.kind === 'decimal' && limit < 0) yield diagnostic('E0405', place, {});
    else if (LEAST[field.kind] !== undefined && limit < least) {
      yield diagnostic('E0205', place, { what: `"${key}"`, limit: `at least ${least}` });
    }
  }
});

/** How many values a field can have; infinite where nobody would count. */
function countOf(field: RawField): number {
  if (field.kind === 'boolean') return 2;
  if (field.kind === 'enum') return field.values.length;
  if (field.kind === 'integer' && field.values !== undefined) return field.values.length;
  if (field.kind === 'integer' || field.kind === 'decimal') {
    const { min = 0, max = Number.POSITIVE_INFINITY } = field;
    return max - min < FEW ? max - min + 1 : Number.POSITIVE_INFINITY;
  }
  return field.kind === 'text' && (field.max ?? FEW) < 2 ? FEW : Number.POSITIVE_INFINITY;
}

/** Fewer different values than this are no way to tell records apart. */
const FEW = 1000;

const uniqueValuesAreMany = each(function* (subject) {
  const alone = [...subject.raw.fields].flatMap(([name, field]) =>
    'unique' in field && field.unique ? [{ names: [name], pointer: ['fields', name, 'unique'] }] : [],
  );
  const together = (subject.raw.unique ?? []).map((names, index) => ({ names, pointer: ['unique', index] }));
  for (const { names, pointer } of [...alone, ...together]) {
    const fields = names.map((name) => fieldOf(subject, name));
    if (fields.some((field) => field === null || field === 'unclear')) continue;
    const count = fields.reduce((product, field) => product * countOf(field as RawField), 1);
    if (count > FEW) continue;
    yield diagnostic('E0414', at(subject, pointer, 'key'), { fields: names.join(', '), count: String(count) });
  }
});

const uniqueValuesHaveNoDefault = each(function* (subject) {
  for (const [name, field] of subject.raw.fields) {
    if (!('unique' in field) || !field.unique || defaultOf(field).is !== 'literal') continue;
    yield diagnostic('E0416', at(subject, ['fields', name, 'default']), { field: name });
  }
});

type Lengths = readonly [least: number, most: number];

/** Characters of what the service fills in; of numbers, the value itself. */
const FILLED: Readonly<Partial<Record<Source, Lengths>>> = {
  'upload.name': [1, 255],
  'upload.type': [9, 255],
  'upload.hash': [64, 64],
  random: [22, 22],
};

const filledValuesFit = eachField(function* ({ subject, field, pointer }, project) {
  if (field.kind === 'computed') return;
  if (field.kind === 'integer' && field.from !== undefined) {
    for (const key of ['min', 'max', 'values'] as const) {
      if (field[key] !== undefined) yield diagnostic('E0407', at(subject, [...pointer, key], 'key'), { key });
    }
  }
  if (field.kind !== 'text') return;
  const key = field.from === undefined ? 'default' : 'from';
  const filled = field.from === undefined ? copiedLengths(subject, field, project) : (FILLED[field.from] ?? null);
  const problem = filled === null ? null : misfitOf(field, filled);
  if (problem === null) return;
  yield diagnostic('E0415', at(subject, [...pointer, key]), { source: String(field[key]), problem });
});

function misfitOf(field: RawField, lengths: Lengths): string | null {
  const [problem = null] = lengths.map((length) => misfit(field, 'x'.repeat(length))).filter((one) => one !== null);
  return problem;
}

function copiedLengths(subject: Subject, field: RawField, project: Project): Lengths | null {
  const said = defaultOf(field);
  if (said.is === 'upload.name') return FILLED['upload.name'] ?? null;
  if (said.is !== 'copied') return null;
  const reference = fieldOf(subject, said.path[0]);
  const target = reference === null || reference === 'unclear' ? null : targetOf(reference, project);
  const source = target === null ? null : fieldOf(target, said.path[1]);
  return source === null || source === 'unclear' ? null : lengthsOf(source);
}

function lengthsOf(field: RawField): Lengths | null {
  if (field.kind === 'enum') {
    const lengths = field.values.map((value) => [...String(value)].length);
    return [Math.min(...lengths), Math.max(...lengths)];
  }
  if (field.kind === 'integer' || field.kind === 'decimal') return [1, 16];
  const limits = field.kind === 'text' || field.kind === 'url' ? limitsOf(field) : null;
  return limits === null ? null : [limits.min, limits.max];
}

export const LIMIT_RULES: RuleTable = {
  'min is not more than max': someValueKeepsThem,
  'a limit is not less than any value': limitsAreLargeEnough,
  'what is unique has many values': uniqueValuesAreMany,
  'what is unique has no literal default': uniqueValuesHaveNoDefault,
  'what the service fills in fits its field': filledValuesFit,
};
