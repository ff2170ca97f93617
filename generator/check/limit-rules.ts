// Rules about limits: some value must satisfy them, enough values for unique fields, and all values that the service fills in.

import { diagnostic } from '../diagnostics/diagnostic.js';
import type { RawField, Source } from '../language/language.js';
import { defaultOf, kindOf } from '../model/kinds/kinds.js';
import { excludesAll, hasWrongLimit, isMalformedLimit, MOST_CHARACTERS, tooFine } from './limits.js';
import { misfit } from './literal.js';
import type { Project } from './project.js';
import { each, eachField, type RuleTable, targetOf } from './rule.js';
import { at, fieldOf, type Subject } from './subject.js';

const someValueKeepsThem = eachField(function* ({ subject, field, pointer }) {
  const limits = kindOf(field).limits(field);
  if (limits === null || limits.min <= limits.max || hasWrongLimit(field)) return;
  const place = at(subject, [...pointer, field.min !== undefined ? 'min' : 'max']);
  yield diagnostic('E0402', place, { min: String(limits.min), max: String(limits.max) });
});

const limitsAreLargeEnough = eachField(function* ({ subject, field, pointer }) {
  const { fractional, leastLimits: least } = kindOf(field);
  for (const key of ['min', 'max'] as const) {
    const limit = field[key];
    if (limit === undefined) continue;
    const place = () => at(subject, [...pointer, key]);
    const problem = fractional ? tooFine(limit, field.scale ?? 2) : null;
    if (problem !== null) yield diagnostic('E0405', place(), { limit: String(limit), problem });
    if (!fractional && isMalformedLimit(field, limit)) {
      yield diagnostic('E0202', place(), {
        what: `"${key}"`,
        expected: 'a whole number',
        found: `the number ${limit}`,
      });
    } else if (least !== null && limit < least[key]) {
      yield diagnostic('E0205', place(), { what: `"${key}"`, limit: `at least ${least[key]}` });
    } else if (least !== null && limit > MOST_CHARACTERS) {
      yield diagnostic('E0205', place(), { what: `"${key}"`, limit: `at most ${MOST_CHARACTERS}` });
    }
  }
});

/** Fewer different values than this cannot distinguish records. */
const FEW = 1000;

const uniqueValuesAreMany = each(function* (subject) {
  const alone = [...subject.raw.fields].flatMap(([name, field]) =>
    field.unique ? [{ names: [name], pointer: ['fields', name, 'unique'] }] : [],
  );
  const together = (subject.raw.unique ?? []).map((names, index) => ({ names, pointer: ['unique', index] }));
  for (const { names, pointer } of [...alone, ...together]) {
    const fields = names.map((name) => fieldOf(subject, name));
    if (fields.some((field) => field === null || field === 'unclear')) continue;
    if ((fields as RawField[]).some(excludesAll)) continue;
    const count = (fields as RawField[]).reduce((product, field) => product * kindOf(field).count(field), 1);
    if (count > FEW) continue;
    yield diagnostic('E0414', at(subject, pointer, 'key'), { fields: names.join(', '), count: String(count) });
  }
});

const uniqueValuesHaveNoDefault = each(function* (subject) {
  for (const [name, field] of subject.raw.fields) {
    if (!field.unique || defaultOf(field).is !== 'literal') continue;
    yield diagnostic('E0416', at(subject, ['fields', name, 'default']), { field: name });
  }
});

type Lengths = readonly [least: number, most: number];

/** Length of what the service fills in; for numbers, the value itself. */
const FILLED: Readonly<Partial<Record<Source, Lengths>>> = {
  'upload.name': [1, 255],
  'upload.type': [9, 255],
  'upload.hash': [64, 64],
  random: [22, 22],
};

const filledValuesFit = eachField(function* ({ subject, field, pointer }, project) {
  if (!kindOf(field).limitsFilled) {
    for (const key of field.from === undefined ? [] : (['min', 'max', 'values'] as const)) {
      if (field[key] !== undefined) yield diagnostic('E0407', at(subject, [...pointer, key], 'key'), { key });
    }
    return;
  }
  const key = field.from === undefined ? 'default' : 'from';
  const filled = field.from === undefined ? copiedLengths(subject, field, project) : (FILLED[field.from] ?? null);
  const problem = filled === null ? null : misfitOf(field, filled);
  if (problem === null) return;
  const copied = defaultOf(field);
  const source = key === 'default' && copied.is === 'copied' ? copied.path.join('.') : String(field[key]);
  yield diagnostic('E0415', at(subject, [...pointer, key, ...(source === field[key] ? [] : ['copy'])]), {
    source,
    problem,
  });
});

function misfitOf(field: RawField, lengths: Lengths): string | null {
  if (excludesAll(field)) return null;
  const [problem = null] = lengths
    .map((length) => misfit(field, 'x'.repeat(Math.min(length, MOST_CHARACTERS))))
    .filter((one) => one !== null);
  return problem;
}

function copiedLengths(subject: Subject, field: RawField, project: Project): Lengths | null {
  const said = defaultOf(field);
  if (said.is === 'upload.name') return FILLED['upload.name'] ?? null;
  if (said.is !== 'copied') return null;
  const reference = fieldOf(subject, said.path[0]);
  const target = reference === null || reference === 'unclear' ? null : targetOf(reference, project);
  const source = target === null ? null : fieldOf(target, said.path[1]);
  return source === null || source === 'unclear' || excludesAll(source) ? null : kindOf(source).lengths(source);
}

export const LIMIT_RULES: RuleTable = {
  'min is not more than max': someValueKeepsThem,
  'a limit is not less than any value': limitsAreLargeEnough,
  'what is unique has many values': uniqueValuesAreMany,
  'what is unique has no literal default': uniqueValuesHaveNoDefault,
  'what the service fills in fits its field': filledValuesFit,
};
