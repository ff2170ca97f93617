// Rules about earlier names, which the ledger remembers: what `was` may name, and which names are reused.
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { duplicates } from '../ledger/duplicates.js';
import type { Clash } from '../ledger/join.js';
import { EMPTY_LEDGER } from '../ledger/ledger.js';
import type { Problem } from '../ledger/problems.js';
import { columnsOf } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import type { Rule, RuleTable } from './rule.js';
import { at, type Subject, written } from './subject.js';

const numbersAreAssignedOnce: Rule = function* ({ ledger }) {
  for (const { number, one, other } of duplicates(ledger ?? EMPTY_LEDGER)) {
    yield diagnostic('E0320', { path: 'spec/ledger.json', start: 0, end: 0 }, { number: String(number), one, other });
  }
};

const namesStandForOneThing: Rule = function* (project) {
  for (const clash of project.ledger?.clashes ?? []) {
    const { place, named } = placeOfClash(clash, project);
    yield diagnostic('E0327', place ?? { path: 'spec/ledger.json', start: 0, end: 0 }, { named });
  }
};

/** Null: the descriptors do not have the name any more. */
function placeOfClash(
  { resource, column, name }: Clash,
  { byName, ledger }: Project,
): { readonly place: Place | null; readonly named: string } {
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

const earlierNamesAreKnown: Rule = function* (project) {
  const { byName, extended } = project;
  const { problems } = extended;
  const reported = new Set<string>();
  for (const problem of problems) {
    const subject = byName.get(problem.resource);
    if (subject === undefined || isUnclear(problem, subject, project) || isShared(problem, problems, project)) continue;
    const mistake = toDiagnostic(problem, subject, project);
    // A mistake in a convention is reported once, for the first resource that extends it.
    const key = `${mistake.path} ${mistake.start} ${mistake.code}`;
    if (!reported.has(key)) yield mistake;
    reported.add(key);
  }
};

function toDiagnostic(problem: Problem, subject: Subject, { ledger }: Project): Diagnostic {
  const { kind, was, other, known, value } = problem;
  const named = problem.field === null ? problem.resource : `${problem.resource}.${problem.field}`;
  switch (kind) {
    case 'exists':
      return diagnostic('E0315', statement(problem, subject), {
        name: was,
        now: other === was ? '' : ` under the name "${other}"`,
        holder: other,
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
      return diagnostic('E0318', statement(problem, subject), { name: was, what, advice }, suggest(was, known));
    }
  }
}

const OF_VALUES = 'write the name it had when gen last ran, or leave "was" out';
const FIRST = 'without ledger.json there is no history: restore it from version control, or remove "was"';

function statement({ field, value }: Problem, subject: Subject): Place {
  if (field !== null && value !== undefined) return at(subject, ['fields', field, 'values', value, 'was']);
  return at(subject, field === null ? ['was'] : ['fields', field, 'was']);
}

function name({ field }: Problem, subject: Subject): Place {
  return field === null ? at(subject, ['resource']) : at(subject, ['fields', field], 'key');
}

/** The name may be in a file, or in part of a file, that cannot be read. */
function isUnclear({ field, was }: Problem, subject: Subject, project: Project): boolean {
  return field === null ? project.hazy.has(was) : subject.pruned.has('*') || subject.pruned.has(`fields/${was}`);
}

/** A convention declares a rename for all resources that extend it; a later one, or one with its own field, has nothing to rename. */
function isShared(problem: Problem, problems: readonly Problem[], project: Project): boolean {
  const { kind, resource, field, was } = problem;
  const convention = inherits(project.byName.get(resource), field);
  if (kind !== 'unknown' || convention === null) return false;
  const others = [...project.byName.values()].filter((other) => inherits(other, field) === convention);
  return others.some(
    ({ raw }) => !problems.some((one) => one.resource === raw.resource && one.field === field && one.was === was),
  );
}

/** The convention that declares the `was` of a field; null where the resource declares it itself. */
function inherits(subject: Subject | undefined, field: string | null): string | null {
  if (subject === undefined || field === null) return null;
  const [first] = written(subject, ['fields', field, 'was']);
  return first === undefined || first.document === subject.document ? null : String(first.pointer[1]);
}

export const HISTORY_RULES: RuleTable = {
  'a number of the ledger is assigned once': numbersAreAssignedOnce,
  'a name stands for one thing after a merge': namesStandForOneThing,
  'an earlier name is known, free and used once': earlierNamesAreKnown,
};
