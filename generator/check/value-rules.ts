// Rules about values in a descriptor: defaults, examples, limits, identities, dates, conditions of lists.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { onceBySchema, problemOf } from '../emit/judge.js';
import type { RawEvent, RawField, ShortIdentity, Where } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { defaultOf, kindOf, shortOf } from '../model/kinds/kinds.js';
import type { JsonSchema } from '../model/model.js';
import { described } from './form.js';
import { excludesAll } from './limits.js';
import { misfit } from './literal.js';
import { each, eachField, find, type Rule, type RuleTable } from './rule.js';
import { at, isPruned, placeOfValue, type Subject } from './subject.js';

const defaultsFit = eachField(function* ({ subject, field, pointer }) {
  const fallback = defaultOf(field);
  const place = [...pointer, 'default'];
  const { defaultWords, literalDefaults } = kindOf(field);
  if (fallback.is === 'none' || fallback.is === 'copied') return;
  if (fallback.is === 'literal' && literalDefaults) yield* fitting(subject, place, field, fallback.value);
  else if (fallback.is === 'literal' || !defaultWords.includes(fallback.is)) {
    const found = fallback.is === 'literal' ? described(fallback.value) : fallback.is;
    const problem = literalDefaults
      ? `${found} is a record; only a reference can hold it`
      : `${found} is not a record; the default of a reference can only be ${defaultWords.join(' or ')}`;
    yield diagnostic('E0401', at(subject, place), { key: 'default', problem });
  }
});

const examplesFit = eachField(function* ({ subject, field, pointer }) {
  if (field.example !== undefined) yield* fitting(subject, [...pointer, 'example'], field, field.example);
  else if (canHaveExample(field)) yield* madeExampleFits(subject, pointer, field);
});

/** Nobody sends what the service fills in, and a default is an example. */
function canHaveExample(field: RawField): boolean {
  return !kindOf(field).derived && field.from === undefined && field.default === undefined && !excludesAll(field);
}

/** The API document shows a request that works, so where no valid example can be made, the descriptor has one. */
function* madeExampleFits(subject: Subject, pointer: Pointer, field: RawField): Iterable<Diagnostic> {
  const value = kindOf(field).example(field, String(pointer.at(-1)));
  const problem = misfit(field, value);
  if (problem === null || hasNoValues(field)) return;
  yield diagnostic('E0417', at(subject, pointer, 'key'), { problem: `${described(value)} does not fit, ${problem}` });
}

/** Its schema is wrong, which has a diagnostic of its own. */
function hasNoValues(field: RawField): boolean {
  return field.schema !== undefined && schemaProblem(field.schema) !== null;
}

function* fitting(subject: Subject, pointer: Pointer, field: RawField, value: unknown): Iterable<Diagnostic> {
  const problem = misfit(field, value);
  if (problem !== null) yield diagnostic('E0401', at(subject, pointer), { key: String(pointer.at(-1)), problem });
}

const valuesAreOfTheKind = eachField(function* ({ subject, field, pointer }) {
  const { listed } = kindOf(field);
  if (listed === null) return;
  for (const [index, value] of (field.values ?? []).entries()) {
    if (typeof value === listed.type) continue;
    const holes = { kind: field.kind, expected: listed.says, found: described(value) };
    yield diagnostic('E0411', at(subject, [...pointer, 'values', index]), holes);
  }
});

const MOST_CHARACTERS = 60;

/** Control characters, separators of lines and paragraphs, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** What the database checks of them, and what lists and paths named after them need. */
const wordsAreDistinct = eachField(function* ({ subject, name, field, pointer }) {
  if (kindOf(field).listed?.type !== 'string') return;
  const earlier = new Map<string, string>();
  for (const value of (field.values ?? []).filter((one) => typeof one === 'string')) {
    const place = () =>
      pointer[0] === 'fields' ? placeOfValue(subject, name, value) : at(subject, [...pointer, 'values']);
    const length = [...value].length;
    const other = earlier.get(value.toLowerCase());
    earlier.set(value.toLowerCase(), value);
    if (length < 1 || length > MOST_CHARACTERS) {
      yield diagnostic('E0430', place(), {
        value,
        problem: `has ${length} characters; 1 to ${MOST_CHARACTERS} are allowed`,
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
});

/** Holds the meta-schema, which it compiles once a process, because that is the slow part. */
const meta = new Ajv2020({ strict: false, logger: false, code: { optimize: false } });

const jsonSchemasCompile: Rule = function* (project) {
  const ofFields = eachField(function* ({ subject, field, pointer }) {
    if (field.schema === undefined) return;
    const problem = schemaProblem(field.schema);
    if (problem !== null) yield diagnostic('E0410', at(subject, [...pointer, 'schema'], 'key'), { problem });
  });
  yield* ofFields(project);
  yield* payloadsCompile(project);
};

function* payloadsCompile({ events }: Parameters<Rule>[0]): Iterable<Diagnostic> {
  const bodies = Object.entries((events?.value.events ?? {}) as Readonly<Record<string, RawEvent>>);
  for (const [name, { payload }] of bodies) {
    if (events === null || typeof payload?.schema !== 'object' || payload.schema === null) continue;
    const problem = schemaProblem(payload.schema as JsonSchema);
    const place = events.document.locate(['events', name, 'payload', 'schema'], 'key');
    if (problem !== null) yield diagnostic('E0410', place, { problem });
  }
}

const schemaProblem = onceBySchema((schema) => {
  if (!meta.validateSchema(schema)) return meta.errorsText(meta.errors, { dataVar: 'schema' }).slice(0, 160);
  return problemOf(schema);
});

const defaultIdentityIsOne = each(function* (subject) {
  const { resource } = subject.raw;
  const { default_identity: identity } = subject.merged as ShortIdentity;
  const { identities } = shortOf(subject.raw.fields.get('identity')) ?? {};
  if (identity === undefined || isPruned(subject, 'identities')) return;
  const place = at(subject, ['default_identity']);
  if (identities === undefined) yield diagnostic('E0404', place, { key: 'default_identity' });
  else if (!identities.includes(identity)) {
    yield diagnostic('E0403', place, { resource, identity }, suggest(identity, identities));
  }
});

const sunsetFollowsDeprecation = each(function* (subject) {
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
});

const listConditionsFit = each(function* (subject) {
  for (const [name, field] of subject.raw.fields) {
    for (const [list, { where }] of Object.entries(field.lists ?? {})) {
      yield* conditionFits(subject, where ?? {}, (key) => at(subject, ['fields', name, 'lists', list, 'where', key]));
    }
  }
});

const conditionsOfAllFit = each(function* (subject) {
  yield* conditionFits(subject, subject.raw.whole?.where ?? {}, (key) =>
    at(subject, ['operations', 'list', 'where', key]),
  );
});

/** Conditions name stored fields of `subject` and values they can have; null means "is empty". */
export function* conditionFits(
  subject: Subject,
  where: Where,
  place: (key: string) => ReturnType<typeof at>,
): Iterable<Diagnostic> {
  for (const [key, value] of Object.entries(where)) {
    const { field, mistakes } = find(subject, key, () => place(key));
    yield* mistakes;
    if (field === null || value === null) continue;
    const holes = { field: key, resource: subject.raw.resource, expected: 'a stored value' };
    if (!isStoredValue(field)) yield diagnostic('E0316', place(key), holes);
    else if (shortOf(field) !== null && field.values?.includes(String(value)) === false) {
      const names = { resource: subject.raw.resource, identity: String(value) };
      yield diagnostic('E0403', place(key), names, suggest(String(value), field.values.map(String)));
    } else {
      const problem = misfit(field, value);
      if (problem !== null) yield diagnostic('E0401', place(key), { key: 'condition', problem });
    }
  }
}

/** Stored in a column with the field's own name. */
export function isStoredValue(field: RawField): boolean {
  const { refers, derived, secret } = kindOf(field);
  return refers === null && !derived && !secret;
}

export const VALUE_RULES: RuleTable = {
  'the condition of the list of all records fits': conditionsOfAllFit,
  'a default fits its field': defaultsFit,
  'an example fits its field': examplesFit,
  'values are of the kind of their field': valuesAreOfTheKind,
  'names of a choice are short, and differ in more than capitals': wordsAreDistinct,
  'a JSON Schema compiles': jsonSchemasCompile,
  'the default identity is one of the identities': defaultIdentityIsOne,
  'a sunset is not before the deprecation': sunsetFollowsDeprecation,
  'a condition of a list fits its field': listConditionsFit,
};
