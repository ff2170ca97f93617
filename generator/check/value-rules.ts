// Rules about values in a descriptor: defaults, examples, limits, identities, dates, conditions of lists.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import { describeValue } from '../form/messages.js';
import { memoizeBySchema, problemOf } from '../form/schema-validator.js';
import type { FieldConditions, RawEvent, RawField, ShortIdentity, ValueSource } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { defaultOfField, kindOf, shortOf } from '../model/kinds/kinds.js';
import type { JsonSchema } from '../model/model.js';
import {
  hasWrongLimit,
  isMalformedLimit,
  isUnsatisfiable,
  MOST_CHARACTERS,
  refusesLimits,
  whyRequired,
  whyTooPrecise,
  whyUnsuitable,
} from './literal.js';
import type { Project } from './project.js';
import {
  each,
  eachField,
  fieldThat,
  isStoredValue,
  type Rule,
  type RuleTable,
  STORED_VALUE,
  targetOf,
} from './rule.js';
import { at, fieldOf, isMalformed, placeOfValue, type Subject } from './subject.js';

export const VALUE_RULES: RuleTable = {
  'the condition of the list of all records fits': each(function* (subject) {
    yield* conditionFits(subject, subject.raw.whole?.where ?? {}, (key) =>
      at(subject, ['operations', 'list', 'where', key]),
    );
  }),

  'a default fits its field': eachField(function* ({ subject, field, pointer }) {
    const fallback = defaultOfField(field);
    const place = [...pointer, 'default'];
    const { defaultWords, literalDefaults } = kindOf(field);
    if (fallback.is === 'none' || fallback.is === 'copied') return;
    if (fallback.is === 'literal' && literalDefaults) yield* fitting(subject, place, field, fallback.value);
    else if (fallback.is === 'literal' || !defaultWords.includes(fallback.is)) {
      const found = fallback.is === 'literal' ? describeValue(fallback.value) : fallback.is;
      const problem = literalDefaults
        ? `${found} is a record; only a reference can hold it`
        : `${found} is not a record; the default of a reference can only be ${defaultWords.join(' or ')}`;
      yield diagnostic('E0401', at(subject, place), { key: 'default', problem });
    }
  }),

  'an example fits its field': eachField(function* ({ subject, field, pointer }) {
    if (field.example !== undefined) yield* fitting(subject, [...pointer, 'example'], field, field.example);
    else if (canHaveExample(field)) yield* madeExampleFits(subject, pointer, field);
  }),

  'values are of the kind of their field': eachField(function* ({ subject, field, pointer }) {
    const { listed } = kindOf(field);
    if (listed === null) return;
    for (const [index, value] of (field.values ?? []).entries()) {
      if (typeof value === listed.type) continue;
      const holes = { kind: field.kind, expected: listed.says, found: describeValue(value) };
      yield diagnostic('E0411', at(subject, [...pointer, 'values', index]), holes);
    }
  }),

  /** What the database checks in the names, and what lists and paths named after them need. */
  'names of a choice are short, and differ in more than capitals': eachField(function* ({
    subject,
    name,
    field,
    pointer,
  }) {
    if (kindOf(field).listed?.type !== 'string') return;
    const earlier = new Map<string, string>();
    for (const value of (field.values ?? []).filter((one) => typeof one === 'string')) {
      const place = () =>
        pointer[0] === 'fields' ? placeOfValue(subject, name, value) : at(subject, [...pointer, 'values']);
      const length = [...value].length;
      const other = earlier.get(value.toLowerCase());
      earlier.set(value.toLowerCase(), value);
      if (length < 1 || length > MOST_OF_A_NAME) {
        yield diagnostic('E0430', place(), {
          value,
          problem: `has ${length} characters; 1 to ${MOST_OF_A_NAME} are allowed`,
        });
      } else if (UNPRINTABLE.test(value)) {
        yield diagnostic('E0430', place(), {
          value: JSON.stringify(value).slice(1, -1),
          problem: 'holds a line break or another control character',
        });
      } else if (other !== undefined) {
        yield diagnostic('E0430', place(), { value, problem: `differs from "${other}" only in capitals` });
      }
    }
  }),

  'a JSON Schema compiles': function* (project) {
    const ofFields = eachField(function* ({ subject, field, pointer }) {
      if (field.schema === undefined) return;
      const problem = schemaProblem(field.schema);
      if (problem !== null) yield diagnostic('E0410', at(subject, [...pointer, 'schema'], 'key'), { problem });
    });
    yield* ofFields(project);
    yield* payloadsCompile(project);
  },

  'the default identity is one of the identities': each(function* (subject) {
    const { resource } = subject.raw;
    const { default_identity: identity } = subject.merged as ShortIdentity;
    const { identities } = shortOf(subject.raw.fields.get('identity')) ?? {};
    if (identity === undefined || isMalformed(subject, 'identities')) return;
    const place = at(subject, ['default_identity']);
    if (identities === undefined) yield diagnostic('E0404', place, { key: 'default_identity' });
    else if (!identities.includes(identity)) {
      yield diagnostic('E0403', place, { resource, identity }, suggestion(identity, identities));
    }
  }),

  'a sunset is not before the deprecation': each(function* (subject) {
    const fields = [...subject.raw.fields].map(([name, field]) => ({ dates: field, pointer: ['fields', name] }));
    const parameters = [...subject.raw.actions].flatMap(([action, declared]) =>
      [...declared.parameters].map(([name, field]) => ({
        dates: field,
        pointer: ['actions', action, 'parameters', name],
      })),
    );
    const all = [...fields, ...parameters];
    const values = all.flatMap(({ dates: { attributes = {} }, pointer }) =>
      Object.entries(attributes).map(([value, dates]) => ({ dates, pointer: [...pointer, 'values', value] })),
    );
    for (const { dates, pointer } of [{ dates: subject.raw, pointer: [] as string[] }, ...all, ...values]) {
      const { deprecated, sunset } = dates;
      if (deprecated === undefined || sunset === undefined || deprecated <= sunset) continue;
      yield diagnostic('E0409', at(subject, [...pointer, 'sunset']), { sunset, deprecated });
    }
  }),

  'a condition of a list fits its field': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      for (const [list, { where }] of Object.entries(field.lists ?? {})) {
        yield* conditionFits(subject, where ?? {}, (key) => at(subject, ['fields', name, 'lists', list, 'where', key]));
      }
    }
  }),

  'min is not more than max': eachField(function* ({ subject, field, pointer }) {
    const limits = kindOf(field).limits(field);
    if (limits === null || limits.min <= limits.max || hasWrongLimit(field) || refusesLimits(field)) return;
    const { min = limits.min, max = limits.max, step } = field;
    const isStep = step !== undefined && min <= max;
    const place = at(subject, [...pointer, isStep ? 'step' : field.min !== undefined ? 'min' : 'max']);
    const problem = isStep
      ? `no multiple of ${step} is between min ${min} and max ${max}`
      : `min ${min} is greater than max ${max}`;
    yield diagnostic('E0402', place, { problem });
  }),

  'a limit is not less than any value': eachField(function* ({ subject, field, pointer }) {
    if (refusesLimits(field)) return;
    const { fractional, leastLimits: least } = kindOf(field);
    for (const key of ['min', 'max'] as const) {
      const limit = field[key];
      if (limit === undefined) continue;
      const place = () => at(subject, [...pointer, key]);
      const problem = fractional ? whyTooPrecise(limit, field.scale ?? 2) : null;
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
  }),

  'what is unique has many values': each(function* (subject) {
    const alone = [...subject.raw.fields].flatMap(([name, field]) =>
      field.unique ? [{ names: [name], pointer: ['fields', name, 'unique'] }] : [],
    );
    const together = (subject.raw.unique ?? []).flatMap(({ fields: names, where }, index) =>
      where === undefined ? [{ names, pointer: ['unique', index] }] : [],
    );
    for (const { names, pointer } of [...alone, ...together]) {
      const fields = names.map((name) => fieldOf(subject, name));
      if (fields.some((field) => field === null || field === 'unclear')) continue;
      if ((fields as RawField[]).some(isUnsatisfiable)) continue;
      const count = (fields as RawField[]).reduce((product, field) => product * kindOf(field).count(field), 1);
      if (count > FEW) continue;
      yield diagnostic('E0414', at(subject, pointer, 'key'), { fields: names.join(', '), count: String(count) });
    }
  }),

  'the condition of what is unique is a value that its field can have': each(function* (subject) {
    for (const [index, { fields, where = {} }] of (subject.raw.unique ?? []).entries()) {
      for (const [key, value] of Object.entries(where)) {
        const place = () => at(subject, ['unique', index, 'where', key]);
        if (value !== null) {
          yield* conditionFits(subject, { [key]: value }, place);
          continue;
        }
        const field = yield* fieldThat(subject, key, place, STORED_VALUE);
        const never = fields.includes(key) ? 'an empty value is never a duplicate' : null;
        const problem = field === null ? null : (whyRequired(field) ?? never);
        if (problem !== null) yield diagnostic('E0401', place(), { key: 'condition', problem });
      }
    }
  }),

  'what is unique has no literal default': each(function* (subject) {
    for (const [name, field] of subject.raw.fields) {
      if (!field.unique || defaultOfField(field).is !== 'literal') continue;
      yield diagnostic('E0416', at(subject, ['fields', name, 'default']), { field: name });
    }
  }),

  'what the service fills in fits its field': eachField(function* ({ subject, field, pointer }, project) {
    if (refusesLimits(field)) {
      for (const key of ['min', 'max', 'values'] as const) {
        if (field[key] !== undefined) yield diagnostic('E0407', at(subject, [...pointer, key], 'key'), { key });
      }
    }
    if (!kindOf(field).limitsFilled) return;
    const key = field.from === undefined ? 'default' : 'from';
    const filled = field.from === undefined ? copiedLengths(subject, field, project) : (FILLED[field.from] ?? null);
    const problem = filled === null ? null : misfitOf(field, filled);
    if (problem === null) return;
    const copied = defaultOfField(field);
    const source = key === 'default' && copied.is === 'copied' ? copied.path.join('.') : String(field[key]);
    yield diagnostic('E0415', at(subject, [...pointer, key, ...(source === field[key] ? [] : ['copy'])]), {
      source,
      problem,
    });
  }),
};

/** The service fills in some values, which nobody sends, and a default is an example. */
function canHaveExample(field: RawField): boolean {
  return !kindOf(field).derived && field.from === undefined && field.default === undefined && !isUnsatisfiable(field);
}

/** The API document shows a request that works, so if no valid example can be made, the descriptor has to give one. */
function* madeExampleFits(subject: Subject, pointer: Pointer, field: RawField): Iterable<Diagnostic> {
  const value = kindOf(field).example(field, String(pointer.at(-1)));
  const problem = whyUnsuitable(field, value);
  if (problem === null || hasNoValues(field)) return;
  yield diagnostic('E0417', at(subject, pointer, 'key'), {
    problem: `${describeValue(value)} does not fit, ${problem}`,
  });
}

/** The schema is invalid, which has its own diagnostic. */
function hasNoValues(field: RawField): boolean {
  return field.schema !== undefined && schemaProblem(field.schema) !== null;
}

function* fitting(subject: Subject, pointer: Pointer, field: RawField, value: unknown): Iterable<Diagnostic> {
  const problem = whyUnsuitable(field, value);
  if (problem !== null) yield diagnostic('E0401', at(subject, pointer), { key: String(pointer.at(-1)), problem });
}

const MOST_OF_A_NAME = 60;

/** Control characters, separators of lines and paragraphs, and unpaired surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Holds the meta-schema, which it compiles once per process, because that is slow. */
const meta = new Ajv2020({ strict: false, logger: false, code: { optimize: false } });

function* payloadsCompile({ events }: Parameters<Rule>[0]): Iterable<Diagnostic> {
  const bodies = Object.entries((events?.value.events ?? {}) as Readonly<Record<string, RawEvent>>);
  for (const [name, { payload }] of bodies) {
    if (events === null || typeof payload?.schema !== 'object' || payload.schema === null) continue;
    const problem = schemaProblem(payload.schema as JsonSchema);
    const place = events.document.locate(['events', name, 'payload', 'schema'], 'key');
    if (problem !== null) yield diagnostic('E0410', place, { problem });
  }
}

const schemaProblem = memoizeBySchema((schema) => {
  if (!meta.validateSchema(schema)) return meta.errorsText(meta.errors, { dataVar: 'schema' }).slice(0, 160);
  return problemOf(schema);
});

/** Fewer different values than this cannot distinguish records. */
const FEW = 1000;

type Lengths = readonly [least: number, most: number];

/** Lengths of values that the service fills in; for numbers, the value itself. */
const FILLED: Readonly<Partial<Record<ValueSource, Lengths>>> = {
  'upload.name': [1, 255],
  'upload.type': [9, 255],
  'upload.hash': [64, 64],
  random: [22, 22],
};

function misfitOf(field: RawField, lengths: Lengths): string | null {
  if (isUnsatisfiable(field)) return null;
  const [problem = null] = lengths
    .map((length) => whyUnsuitable(field, 'x'.repeat(Math.min(length, MOST_CHARACTERS))))
    .filter((one) => one !== null);
  return problem;
}

function copiedLengths(subject: Subject, field: RawField, project: Project): Lengths | null {
  const fallback = defaultOfField(field);
  if (fallback.is === 'upload.name') return FILLED['upload.name'] ?? null;
  if (fallback.is !== 'copied') return null;
  const reference = fieldOf(subject, fallback.path[0]);
  const target = reference === null || reference === 'unclear' ? null : targetOf(reference, project);
  const source = target === null ? null : fieldOf(target, fallback.path[1]);
  return source === null || source === 'unclear' || isUnsatisfiable(source) ? null : kindOf(source).lengths(source);
}

/** Conditions name stored fields of `subject` and values that they can have; null means "is empty". */
export function* conditionFits(
  subject: Subject,
  where: FieldConditions,
  placeOf: (key: string) => YamlPosition,
): Iterable<Diagnostic> {
  for (const [key, value] of Object.entries(where)) {
    const place = () => placeOf(key);
    const fits = (one: RawField) => value === null || isStoredValue(one);
    const field = yield* fieldThat(subject, key, place, { ...STORED_VALUE, fits });
    if (field === null || value === null) continue;
    if (shortOf(field) !== null && field.values?.includes(String(value)) === false) {
      const names = { resource: subject.raw.resource, identity: String(value) };
      yield diagnostic('E0403', place(), names, suggestion(String(value), field.values.map(String)));
    } else {
      const problem = whyUnsuitable(field, value);
      if (problem !== null) yield diagnostic('E0401', place(), { key: 'condition', problem });
    }
  }
}
