// Rules about earlier names, which the ledger remembers: what `was` may name, and which names are used again.
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import { duplicates } from '../ledger/duplicates.js';
import { extendLedger } from '../ledger/extend.js';
import { EMPTY_LEDGER } from '../ledger/ledger.js';
import type { Trouble } from '../ledger/troubles.js';
import type { Project } from './project.js';
import type { Rule, RuleTable } from './rule.js';
import { at, type Subject } from './subject.js';

const numbersAreGivenOnce: Rule = function* ({ ledger }) {
  for (const { number, one, other } of duplicates(ledger ?? EMPTY_LEDGER)) {
    yield diagnostic('E0320', { path: 'spec/ledger.json', start: 0, end: 0 }, { number: String(number), one, other });
  }
};

const earlierNamesAreKnown: Rule = function* (project) {
  const { ledger, byName } = project;
  const { troubles } = extendLedger(
    ledger ?? EMPTY_LEDGER,
    [...byName.values()].map(({ raw }) => raw),
  );
  const told = new Set<string>();
  for (const trouble of troubles) {
    const subject = byName.get(trouble.resource);
    if (subject === undefined || isUnclear(trouble, subject, project) || isShared(trouble, troubles, project)) continue;
    const found = spoken(trouble, subject, project);
    // What a convention says is told once, for the first resource that has it.
    const key = `${found.path} ${found.start} ${found.code}`;
    if (!told.has(key)) yield found;
    told.add(key);
  }
};

function spoken(trouble: Trouble, subject: Subject, { ledger }: Project): Diagnostic {
  const { kind, was, other, known } = trouble;
  const named = trouble.field === null ? trouble.resource : `${trouble.resource}.${trouble.field}`;
  switch (kind) {
    case 'exists':
      return diagnostic('E0315', statement(trouble, subject), {
        name: was,
        now: other === was ? '' : ` under the name ${other}`,
        holder: other,
      });
    case 'reused':
      return diagnostic('E0317', name(trouble, subject), { named, name: was });
    case 'twice':
      return diagnostic('E0319', statement(trouble, subject), { name: was, other });
    case 'unknown': {
      if (trouble.field !== null && known.includes(was)) {
        const what = `a field of ${trouble.resource} of another kind`;
        const advice = `values do not move between kinds: without "was" it is a new field, and ${was} goes`;
        return diagnostic('E0318', statement(trouble, subject), { name: was, what, advice });
      }
      const what = `no ${trouble.field === null ? 'resource' : `field of ${trouble.resource}`} that ever was`;
      const names = known.length === 0 ? '' : `; given up so far: ${known.slice(0, 12).join(', ')}`;
      const advice = ledger === null ? FIRST : `the name it had at the last gen, or no "was"${names}`;
      return diagnostic('E0318', statement(trouble, subject), { name: was, what, advice }, suggest(was, known));
    }
  }
}

const FIRST = 'without ledger.json there is no history: bring it back from version control, or remove "was"';

function statement({ field }: Trouble, subject: Subject): Place {
  return at(subject, field === null ? ['was'] : ['fields', field, 'was']);
}

function name({ field }: Trouble, subject: Subject): Place {
  return field === null ? at(subject, ['resource']) : at(subject, ['fields', field], 'key');
}

/** What is named may stand in a file or a part that cannot be read. */
function isUnclear({ field, was }: Trouble, subject: Subject, project: Project): boolean {
  return field === null ? project.hazy.has(was) : subject.pruned.has('*') || subject.pruned.has(`fields/${was}`);
}

/** A convention states a rename for all that extend it; one that came later, or has its own field, has nothing to rename. */
function isShared(trouble: Trouble, troubles: readonly Trouble[], project: Project): boolean {
  const { kind, resource, field, was } = trouble;
  const convention = inherits(project.byName.get(resource), field);
  if (kind !== 'unknown' || convention === null) return false;
  const others = [...project.byName.values()].filter((other) => inherits(other, field) === convention);
  return others.some(
    ({ raw }) => !troubles.some((one) => one.resource === raw.resource && one.field === field && one.was === was),
  );
}

/** The convention that says what a field was; null where the resource says so itself. */
function inherits(subject: Subject | undefined, field: string | null): string | null {
  if (subject === undefined || field === null || subject.document.has(['fields', field, 'was'])) return null;
  return subject.convention?.document.has(['conventions', subject.convention.name, 'fields', field, 'was'])
    ? subject.convention.name
    : null;
}

export const HISTORY_RULES: RuleTable = {
  'a number of the ledger is given once': numbersAreGivenOnce,
  'an earlier name is known, free and asked for once': earlierNamesAreKnown,
};
