// Rules about what databases already hold: earlier names, which the ledger keeps, removals, and the values that rows get when a
// field is added or becomes required.

import { isDeepStrictEqual } from 'node:util';
import { widens } from '../../runtime/schema/limits.js';
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggest, suggestion } from '../diagnostics/suggest.js';
import type { RawField } from '../language/language.js';
import { uniqueSetsOf } from '../language/normalize.js';
import { type Removals, removals } from '../ledger/extend.js';
import type { Clash } from '../ledger/join.js';
import { EMPTY_LEDGER } from '../ledger/ledger.js';
import { duplicates } from '../ledger/parse.js';
import type { Problem } from '../ledger/problems.js';
import { type CopiedFill, readFill } from '../model/kinds/default-of.js';
import { columnsOf, kindOf, mayBeEmpty, shortOf } from '../model/kinds/kinds.js';
import { TEXT_MAX } from '../model/kinds/text.js';
import { isUnsatisfiable, whyUnsuitable } from './literal.js';
import type { Project } from './project.js';
import {
  type Expectation,
  eachField,
  fieldThat,
  type PlacedField,
  REFERENCE,
  REFERENCE_OF_ONE_OWNER,
  type RuleTable,
  STORED_VALUE,
  targetOf,
} from './rule.js';
import { at, hasUnclearFields, keyLocations, type Subject } from './subject.js';

export const HISTORY_RULES: RuleTable = {
  'a number of the ledger is assigned once': function* ({ ledger }) {
    for (const { number, one, other } of duplicates(ledger ?? EMPTY_LEDGER)) {
      yield diagnostic('E0320', { path: 'spec/ledger.json', start: 0, end: 0 }, { number: String(number), one, other });
    }
  },

  'a name stands for one thing after a merge': function* (project) {
    for (const clash of project.ledger?.clashes ?? []) {
      const { place, named } = placeOfClash(clash, project);
      yield diagnostic('E0327', place ?? { path: 'spec/ledger.json', start: 0, end: 0 }, { named });
    }
  },

  'an earlier name is known, free and used once': function* (project) {
    const { byName, extended } = project;
    const { problems } = extended;
    const reported = new Set<string>();
    for (const problem of problems) {
      const subject = byName.get(problem.resource);
      if (subject === undefined || isUnclear(problem, subject, project) || isShared(problem, problems, project))
        continue;
      const mistake = toDiagnostic(problem, subject, project);
      // A mistake in a convention is reported once, for the first resource that extends it.
      const key = `${mistake.path} ${mistake.start} ${mistake.code}`;
      if (!reported.has(key)) yield mistake;
      reported.add(key);
    }
  },

  'what was removed is reported, and a probable rename is suggested': function* (project) {
    const { ledger, extended, byName, unreadable } = project;
    if (ledger === null || unreadable.size > 0 || [...byName.values()].some(hasUnclearFields)) return;
    // A wrong `was` is reported first.
    if (extended.problems.length > 0) return;
    const removed = removals(ledger, extended.ledger);
    yield* ofResources(removed, project);
    yield* ofFields(removed, project);
  },

  'what fills rows fits the field': eachField(function* ({ subject, field, pointer }) {
    const fill = readFill(field);
    if (fill.is !== 'literal') return;
    const problem = kindOf(field).literalDefaults ? whyUnsuitable(field, fill.value) : OF_REFERENCES;
    if (problem !== null) yield diagnostic('E0401', at(subject, [...pointer, 'fill']), { key: 'fill', problem });
  }),

  'a copy that fills rows has a value that fits': eachField(function* (placed, project) {
    const { subject, field, pointer } = placed;
    const fill = readFill(field);
    if (fill.is !== 'copied') return;
    const place = () => at(subject, [...pointer, 'fill', fill.key]);
    const through =
      fill.reference === null ? null : yield* fieldThat(subject, fill.reference, place, REFERENCE_OF_ONE_OWNER);
    const holder = fill.reference === null ? subject : through && targetOf(through, project);
    const expected = fill.part !== undefined ? TEXT : kindOf(field).literalDefaults ? STORED_VALUE : REFERENCE;
    const source = holder === null ? null : yield* fieldThat(holder, fill.field, place, expected);
    const [reason] = source === null ? [] : obstacles(placed, partOf(source, fill.part), through);
    if (reason !== undefined) yield diagnostic('E0453', place(), { field: placed.name, source: fill.field, reason });
  }),

  'texts that are joined to fill rows fit': eachField(function* (placed) {
    const { subject, name, field, pointer } = placed;
    const fill = readFill(field);
    if (fill.is !== 'joined') return;
    const sources: RawField[] = [];
    for (const [index, one] of fill.fields.entries()) {
      const source = yield* fieldThat(subject, one, () => at(subject, [...pointer, 'fill', 'join', index]), TEXT);
      if (source !== null) sources.push(source);
    }
    if (sources.length < fill.fields.length) return;
    const [reason] = obstacles(placed, joined(sources, fill.with), null);
    const place = at(subject, [...pointer, 'fill', 'join']);
    if (reason !== undefined)
      yield diagnostic('E0453', place, { field: name, source: fill.fields.join(' and '), reason });
  }),

  'the values of a function can fill rows': eachField(function* (placed) {
    const { subject, name, field, pointer } = placed;
    const fill = readFill(field);
    if (fill.is !== 'by_function') return;
    const place = at(subject, [...pointer, 'fill', 'function']);
    if (!kindOf(field).literalDefaults) yield diagnostic('E0401', place, { key: 'fill', problem: OF_REFERENCES });
    else if (isUnique(placed))
      yield diagnostic('E0453', place, {
        field: name,
        source: `the result of ${fill.function}`,
        reason: UNIQUE,
      });
  }),
};

const OF_REFERENCES = 'rows can only get the record that another of their references has, named under "copy"';
const TEXT: Expectation = { expected: 'a text', fits: (field) => kindOf(field).searchable };

/** The text field that a part of a text amounts to: there may be nothing after the first word. */
function partOf(source: RawField, part: CopiedFill['part']): RawField {
  if (part === undefined) return source;
  const { max = TEXT_MAX } = source;
  if (part === 'rest') return { kind: 'text', min: 1, max };
  return { ...source, min: Math.min(source.min ?? 0, 1) };
}

/** The text field that the joined texts amount to; empty texts are left out. */
function joined(sources: readonly RawField[], between: string): RawField {
  const filled = sources.filter((source) => !mayBeEmpty(source));
  const gap = [...between].length;
  const longest = sources.map(({ max = TEXT_MAX }) => max).reduce((sum, max) => sum + gap + max);
  const shortest = filled.map(({ min = 1 }) => Math.max(min, 1)).reduce((sum, min) => sum + gap + min, -gap);
  return { kind: 'text', min: Math.max(shortest, 1), max: longest, required: filled.length > 0 };
}

/** Null if the descriptors no longer have the name. */
function placeOfClash(
  { resource, column, name }: Clash,
  { byName, ledger }: Project,
): { readonly place: YamlPosition | null; readonly named: string } {
  if (resource === null) {
    const subject = byName.get(name);
    return { place: subject === undefined ? null : at(subject, ['resource']), named: name };
  }
  const [table = '', entry] =
    Object.entries(ledger?.resources ?? {}).find(([, { number }]) => number === resource) ?? [];
  const subject = byName.get(table);
  const holder = Object.entries(entry?.columns ?? {}).find(([, number]) => number === column)?.[0] ?? name;
  const field = [...(subject?.raw.fields ?? [])].find(([key, raw]) => columnsOf(key, raw).includes(holder))?.[0];
  const named = column === undefined ? `${table}.${name}` : `the value "${name}" of ${table}.${holder}`;
  if (subject === undefined || field === undefined) return { place: null, named };
  return { place: at(subject, ['fields', field], 'key'), named };
}

function toDiagnostic(problem: Problem, subject: Subject, { ledger }: Project): Diagnostic {
  const { kind, was, other, known, value } = problem;
  const named = problem.field === null ? problem.resource : `${problem.resource}.${problem.field}`;
  switch (kind) {
    case 'exists':
      return diagnostic('E0315', statement(problem, subject), {
        name: was,
        now: other === was ? '' : ` under the name "${other}"`,
        holder: other,
        otherwise: value === undefined ? 'write "was: null" there' : ADDED_LATER,
      });
    case 'reused':
      return diagnostic('E0317', name(problem, subject), { named, name: was });
    case 'twice':
      return diagnostic('E0319', statement(problem, subject), { name: was, other });
    case 'unknown': {
      if (value !== undefined) {
        const what = `a value of ${named} that never existed`;
        return diagnostic('E0318', statement(problem, subject), { name: was, what, advice: OF_VALUES });
      }
      if (problem.field !== null && known.includes(was)) {
        const what = `a field of ${problem.resource} of another kind`;
        const advice = `values cannot move between kinds; without "was" this is a new field and ${was} is removed`;
        return diagnostic('E0318', statement(problem, subject), { name: was, what, advice });
      }
      const what = `a ${problem.field === null ? 'resource' : `field of ${problem.resource}`} that never existed`;
      const names = known.length === 0 ? '' : `; former names: ${known.slice(0, 12).join(', ')}`;
      const advice = ledger === null ? FIRST : `write the name it had when gen last ran, or leave "was" out${names}`;
      return diagnostic('E0318', statement(problem, subject), { name: was, what, advice }, suggestion(was, known));
    }
  }
}

const ADDED_LATER = 'run gen without it, then add it and remove "was",';
const OF_VALUES = 'write the name it had when gen last ran, or leave "was" out';
const FIRST = 'without ledger.json there is no history: restore it from version control, or remove "was"';

function statement({ field, value }: Problem, subject: Subject): YamlPosition {
  if (field !== null && value !== undefined) return at(subject, ['fields', field, 'values', value, 'was']);
  return at(subject, field === null ? ['was'] : ['fields', field, 'was']);
}

function name({ field }: Problem, subject: Subject): YamlPosition {
  return field === null ? at(subject, ['resource']) : at(subject, ['fields', field], 'key');
}

/** The name may be in a file, or in part of a file, that cannot be read. */
function isUnclear({ field, was }: Problem, subject: Subject, project: Project): boolean {
  return field === null ? project.unreadable.has(was) : subject.pruned.has('*') || subject.pruned.has(`fields/${was}`);
}

/** A convention's rename applies to all resources that extend it; newer ones, or those with their own field, have no use for it. */
function isShared(problem: Problem, problems: readonly Problem[], project: Project): boolean {
  const { kind, resource, field, was } = problem;
  const convention = inherits(project.byName.get(resource), field);
  if (kind !== 'unknown' || convention === null) return false;
  const others = [...project.byName.values()].filter((other) => inherits(other, field) === convention);
  return others.some(
    ({ raw }) => !problems.some((one) => one.resource === raw.resource && one.field === field && one.was === was),
  );
}

/** The convention that declares the `was` of a field; null if the resource declares it itself. */
function inherits(subject: Subject | undefined, field: string | null): string | null {
  if (subject === undefined || field === null) return null;
  const [first] = keyLocations(subject, ['fields', field, 'was']);
  return first === undefined || first.document === subject.document ? null : String(first.pointer[1]);
}

/** A probable rename of a resource or field. */
interface RenamePair {
  readonly name: string;
  readonly was: string;
}

function* ofResources({ gone, added }: Removals, { byName, conventions }: Project): Iterable<Diagnostic> {
  const renamed = pairs(added, () => gone);
  for (const { name, was } of renamed) {
    const subject = byName.get(name);
    if (subject !== undefined) yield rename(at(subject, ['resource']), name, was);
  }
  const place = conventions?.locate([]) ?? { path: 'spec/conventions.yaml', start: 0, end: 0 };
  for (const name of gone.filter((one) => renamed.every(({ was }) => was !== one))) {
    yield diagnostic('W0605', place, { what: `the resource "${name}" is gone` });
  }
}

/** A field of a convention is reported once, with all resources that had it. */
function* ofFields({ columns }: Removals, { byName }: Project): Iterable<Diagnostic> {
  const reported = new Set<string>();
  const lost = new Map<string, Subject[]>();
  for (const [resource, { gone, added }] of columns) {
    const subject = byName.get(resource);
    if (subject === undefined) continue;
    const renamed = renamedFields(subject, gone, added);
    for (const { name, was } of renamed) {
      const warning = rename(at(subject, ['fields', name], 'key'), name, was);
      const key = `${warning.path} ${warning.start}`;
      if (!reported.has(key)) yield warning;
      reported.add(key);
    }
    const rest = [...new Set(gone.filter((column) => !isProof(column)).map(baseName))];
    for (const name of rest.filter((one) => renamed.every(({ was }) => was !== one))) {
      lost.set(name, [...(lost.get(name) ?? []), subject]);
    }
  }
  for (const [name, [first, ...others]] of lost) {
    if (first === undefined) continue;
    const from = [first, ...others].map(({ raw }) => raw.resource).join(', ');
    yield diagnostic('W0605', at(first, ['resource']), { what: `"${name}" is gone from ${from}` });
  }
}

/** New fields that could take over the values of a removed field, since they have the same columns. */
function renamedFields(subject: Subject, gone: readonly string[], added: ReadonlySet<string>): readonly RenamePair[] {
  const { fields } = subject.raw;
  const groups = grouped(gone);
  const written = [...fields].filter(([, field]) => shortOf(field) === null);
  const names = written.filter(([name, field]) => columnsOf(name, field).some((column) => added.has(column)));
  return pairs(
    names.map(([name]) => name),
    (name) => {
      const field = fields.get(name);
      const keeps = (was: string, columns: readonly string[]): boolean =>
        field !== undefined && columnsOf(was, field).join() === columns.join();
      return groups.flatMap((columns) =>
        [baseName(columns[0] ?? ''), columns[0] ?? ''].filter((was) => keeps(was, columns)).slice(0, 1),
      );
    },
  );
}

/** Columns grouped by their former field: an image has two. */
function grouped(columns: readonly string[]): readonly (readonly string[])[] {
  return columns
    .filter((column) => !isProof(column))
    .map((column) => [column, ...columns.filter((other) => other === `${PROOF}${baseName(column)}`)]);
}

/** Pairs each name with the nearest one that fits; then, if exactly one old and one new name are left, pairs these. */
function pairs(added: readonly string[], fitting: (name: string) => readonly string[]): readonly RenamePair[] {
  const near = added.flatMap((name) => {
    const was = suggest(name, fitting(name));
    return was === null ? [] : [{ name, was }];
  });
  const unpaired = added.filter((name) => near.every((one) => one.name !== name));
  const rest = unpaired.map((name) => ({
    name,
    gone: fitting(name).filter((was) => near.every((one) => one.was !== was)),
  }));
  const [only, ...others] = rest.filter(({ gone }) => gone.length > 0);
  const [was, ...more] = only?.gone ?? [];
  if (only === undefined || was === undefined || others.length + more.length > 0) return near;
  return [...near, { name: only.name, was }];
}

const PROOF = 'has_proofed_';
const isProof = (column: string): boolean => column.startsWith(PROOF);
const baseName = (column: string): string => column.replace(/_id$/, '');

function rename(place: YamlPosition, name: string, was: string): Diagnostic {
  return diagnostic('W0604', place, { name, was });
}

/** Rows are filled one after the other, and another row may already have the value. */
const UNIQUE = 'this field is unique';

function isUnique({ subject, name }: PlacedField): boolean {
  return uniqueSetsOf(subject.raw).some(({ fields, where = {} }) => fields.includes(name) || name in where);
}

function obstacles(placed: PlacedField, source: RawField, through: RawField | null): readonly string[] {
  const { field } = placed;
  const mayMiss = mayBeEmpty(source) || (through !== null && mayBeEmpty(through));
  return [
    ...(source.kind === field.kind ? [] : [`it is of kind ${source.kind}, not ${field.kind}`]),
    ...(source.to === field.to ? [] : [`it refers to ${source.to}, not to ${field.to}`]),
    ...(isInOnePlacement(field) && !isInOnePlacement(source) ? ['what it refers to may have another owner'] : []),
    ...(mayMiss && !mayBeEmpty(field) ? ['it may be empty, which this field must not be'] : []),
    ...(isWithin(source, field) ? [] : ['its limits are wider']),
    ...(isFilledFromFields(source) ? ['it is filled from other fields itself'] : []),
    ...(isUnique(placed) ? [UNIQUE] : []),
  ];
}

function isFilledFromFields(field: RawField): boolean {
  const { is } = readFill(field);
  return is === 'copied' || is === 'joined' || is === 'by_function';
}

function isInOnePlacement({ place, inside }: RawField): boolean {
  return place === true || inside === true;
}

/** Whether `field` may hold every value of `source`. */
function isWithin(source: RawField, field: RawField): boolean {
  const [inner = null, outer = null] = [source, field].map((one) => kindOf(one).check?.(one) ?? null);
  const isInLimits = isUnsatisfiable(source) || isUnsatisfiable(field) || widens(inner, outer);
  const isListed =
    field.values === undefined || (source.values ?? [null]).every((one) => field.values?.includes(one as never));
  const isOfSchema = field.schema === undefined || isDeepStrictEqual(field.schema, source.schema);
  return isInLimits && isListed && isOfSchema;
}
