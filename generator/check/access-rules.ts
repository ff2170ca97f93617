// Rules about access: its words, rights that views and actions name, membership, cycles.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import { suggest } from '../diagnostics/suggest.js';
import type { RawClause } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { kindOf } from '../model/kinds/kinds.js';
import { circles } from './circles.js';
import type { Project } from './project.js';
import { each, isPrincipal, type Rule, type RuleTable } from './rule.js';
import { at, fieldOf, isPruned, type Subject } from './subject.js';

interface PlacedClause {
  readonly right: string;
  readonly clause: RawClause;
  readonly pointer: Pointer;
}

function clausesOf(subject: Subject): PlacedClause[] {
  return [...subject.raw.access.rights].flatMap(([right, clauses]) =>
    clauses.map((clause, index) => ({ right, clause, pointer: ['access', right, index] })),
  );
}

/** Rights besides `read` and `edit`; `editor` is a word for `edit`. */
function namedRights(subject: Subject): string[] {
  return [...subject.raw.access.rights.keys()].filter((right) => right !== 'read' && right !== 'edit');
}

const wordsGiveAccess = each(function* (subject) {
  for (const { clause, pointer } of clausesOf(subject)) {
    if (typeof clause !== 'string' || gives(subject, clause)) continue;
    const holes = { word: clause, resource: subject.raw.resource };
    yield diagnostic('E0312', at(subject, pointer), holes, suggest(clause, words(subject)));
  }
});

function gives(subject: Subject, word: string): boolean {
  if (['anyone', 'self', 'editor'].includes(word) || namedRights(subject).includes(word)) return true;
  const field = fieldOf(subject, word);
  if (field === 'unclear' || isPruned(subject, 'access', word)) return true;
  return field !== null && kindOf(field).grants !== null;
}

function words(subject: Subject): string[] {
  const fields = [...subject.raw.fields].filter(([, field]) => kindOf(field).grants !== null);
  return ['anyone', 'self', 'editor', ...namedRights(subject), ...fields.map(([name]) => name)];
}

const selfIsThePrincipal = each(function* (subject, project) {
  if (project.principal === null || isPrincipal(subject.raw.resource, project)) return;
  for (const { clause, pointer } of clausesOf(subject)) {
    if (clause !== 'self') continue;
    const holes = { resource: subject.raw.resource, principal: project.principal.raw.resource };
    yield diagnostic('E0314', at(subject, pointer), holes);
  }
});

const viewsNameRights = each(function* (subject) {
  for (const [name, { view }] of subject.raw.fields) {
    if (view !== undefined)
      yield* right(subject, view, ['anyone', 'editor', 'created', 'nobody'], ['fields', name, 'view']);
  }
});

const actionsNameRights = each(function* (subject) {
  for (const [name, { by }] of subject.raw.actions) {
    yield* right(subject, by, ['editor', 'admin'], ['actions', name, 'by']);
  }
});

function* right(subject: Subject, word: string, fixed: readonly string[], pointer: Pointer): Iterable<Diagnostic> {
  const allowed = [...fixed, ...namedRights(subject)];
  if (allowed.includes(word) || isPruned(subject, 'access', word) || isPruned(subject, 'access')) return;
  const holes = { resource: subject.raw.resource, right: word, allowed: allowed.join(', ') };
  yield diagnostic('E0313', at(subject, pointer), holes, suggest(word, allowed));
}

const accessEnds: Rule = function* (project) {
  const edges = new Map<string, { to: string; place: PlacedClause & { subject: Subject } }[]>();
  for (const subject of project.subjects) {
    for (const placed of clausesOf(subject)) {
      const to = flowsFrom(subject, placed.clause, project);
      const node = `${subject.raw.resource}.${placed.right}`;
      if (to !== null) edges.set(node, [...(edges.get(node) ?? []), { to, place: { ...placed, subject } }]);
    }
  }
  for (const { circle, place } of circles(edges)) {
    yield diagnostic('E0508', at(place.subject, place.pointer), { circle: circle.join(' -> ') });
  }
};

/** The right from which a word passes on access: another right of the record, or the edit right on a reference's target. */
function flowsFrom(subject: Subject, clause: RawClause, project: Project): string | null {
  if (typeof clause !== 'string') return null;
  const own = subject.raw.resource;
  if (clause === 'editor') return `${own}.edit`;
  const field = subject.raw.fields.get(clause);
  if (field?.to !== undefined) return isPrincipal(field.to, project) ? null : `${field.to}.edit`;
  return field === undefined && namedRights(subject).includes(clause) ? `${own}.${clause}` : null;
}

export const ACCESS_RULES: RuleTable = {
  'a word of access gives access': wordsGiveAccess,
  '"self" is for the principal': selfIsThePrincipal,
  'a view names a right of the resource': viewsNameRights,
  'an action names a right of the resource': actionsNameRights,
  'access does not run in a circle': accessEnds,
};
