// Rules about access: its words, rights that views and actions name, cycles, and access through a joining resource.

import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { suggestion } from '../diagnostics/suggest.js';
import type { RawClause, RawMember } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { kindOf } from '../model/kinds/kinds.js';
import { findCycles } from './cycles.js';
import type { Project } from './project.js';
import {
  type Expectation,
  each,
  fieldThat,
  findResource,
  isPrincipal,
  isUnknown,
  REFERENCE,
  type Rule,
  type RuleTable,
  refersToUnknown,
} from './rule.js';
import { at, fieldOf, hasUnclearFields, isMalformed, type Subject } from './subject.js';
import { conditionFits } from './value-rules.js';

export const ACCESS_RULES: RuleTable = {
  'a word of access gives access': each(function* (subject) {
    for (const { clause, pointer } of clausesOf(subject)) {
      if (typeof clause !== 'string' || grantsAccess(subject, clause)) continue;
      const holes = { word: clause, resource: subject.raw.resource };
      yield diagnostic('E0312', at(subject, pointer), holes, suggestion(clause, words(subject)));
    }
  }),

  '"self" is for the principal': each(function* (subject, project) {
    if (project.principal === null || isPrincipal(subject.raw.resource, project)) return;
    for (const { clause, pointer } of clausesOf(subject)) {
      if (clause !== 'self') continue;
      const holes = { resource: subject.raw.resource, principal: project.principal.raw.resource };
      yield diagnostic('E0314', at(subject, pointer), holes);
    }
  }),

  'a view names a right of the resource': each(function* (subject) {
    for (const [name, { view }] of subject.raw.fields) {
      if (view !== undefined)
        yield* right(subject, view, ['anyone', 'editor', 'created', 'nobody'], () =>
          at(subject, ['fields', name, 'view']),
        );
    }
  }),

  'an action names a right of the resource': each(function* (subject) {
    for (const [name, { by }] of subject.raw.actions) {
      yield* right(subject, by, ['editor', 'admin'], () => at(subject, ['actions', name, 'by']));
    }
  }),

  'a reference needs a right of its target': each(function* (subject, project) {
    for (const [name, { need, to }] of subject.raw.fields) {
      const target = project.byName.get(to ?? '');
      if (need === undefined || target === undefined) continue;
      yield* right(target, need, ['exists', 'read', 'use', 'edit'], () => at(subject, ['fields', name, 'need']));
    }
  }),

  'a right of a target is one that it has': each(function* (subject, project) {
    for (const { clause, pointer } of clausesOf(subject)) {
      if (typeof clause === 'string' || 'member' in clause) continue;
      const place = () => at(subject, [...pointer, clause.right]);
      const field = yield* fieldThat(subject, clause.of, place, REFERENCE);
      const target = project.byName.get(field?.to ?? '');
      if (target === undefined) continue;
      yield* right(target, clause.right, ['read', 'edit'], () => at(subject, [...pointer, clause.right], 'key'));
    }
  }),

  'access does not run in a circle': function* (project) {
    const edges = new Map<string, { to: string; place: PlacedClause & { subject: Subject } }[]>();
    for (const subject of project.subjects) {
      for (const placed of clausesOf(subject)) {
        const to = grantingRight(subject, placed.clause, project);
        const node = `${subject.raw.resource}.${placed.right}`;
        if (to !== null) edges.set(node, [...(edges.get(node) ?? []), { to, place: { ...placed, subject } }]);
      }
    }
    for (const { circle, place } of findCycles(edges)) {
      yield diagnostic('E0508', at(place.subject, place.pointer), { circle: circle.join(' -> ') });
    }
  },

  'a joining resource exists': eachMember(({ subject, clause, pointer }, project) => {
    return findResource(project, clause.member, () => at(subject, [...pointer, 'member'])).mistakes;
  }),

  'a joining resource names one user': eachMember(function* ({ subject, clause, pointer, member }, project) {
    if (member === null || project.principal === null || hasUnclearFields(member)) return;
    if (refersToUnknown(member, project)) return;
    const users = [...member.raw.fields].filter(([, { to }]) => to !== undefined && isPrincipal(to, project));
    const place = at(subject, [...pointer, 'member']);
    const principal = project.principal.raw.resource;
    if (users.length === 0) yield diagnostic('E0511', place, { member: clause.member, principal });
    const fields = users.map(([name]) => name).join(', ');
    if (users.length > 1) yield diagnostic('E0512', place, { member: clause.member, fields });
  }),

  'a joining resource and the record share a reference': eachMember(function* (
    { subject, clause, pointer, member },
    project,
  ) {
    const place = () => at(subject, [...pointer, 'by']);
    const { resource, fields } = subject.raw;
    const leads = member?.raw.fields.get(clause.by)?.to;
    // Without the reference, the members are those of the record itself.
    if (leads !== undefined && isUnknown(leads, project)) return;
    if (!fields.has(clause.by) && (leads === resource || (clause.in !== undefined && clause.by === resource))) return;
    const one = (yield* fieldThat(subject, clause.by, place, REFERENCE))?.to ?? null;
    if (member === null || clause.in !== undefined) return;
    const other = (yield* fieldThat(member, clause.by, place, REFERENCE))?.to ?? null;
    if (one === null || other === null || [one, other].some((name) => isUnknown(name, project))) return;
    if (one !== other) yield diagnostic('E0514', place(), { one, other });
    else if (one === resource) yield diagnostic('E0518', place(), { by: clause.by, resource });
  }),

  'items of a joining resource are JSON': eachMember(function* ({ subject, clause, pointer, member }) {
    if (member === null || clause.in === undefined) return;
    yield* fieldThat(member, clause.in, () => at(subject, [...pointer, 'in']), JSON_FIELD);
  }),

  'a condition on a joining resource fits its field': eachMember(function* ({ subject, clause, pointer, member }) {
    if (member === null) return;
    yield* conditionFits(member, clause.where ?? {}, (key) => at(subject, [...pointer, 'where', key]));
  }),
};

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

/** Rights other than `read` and `edit`; `editor` is a word for `edit`. */
function namedRights(subject: Subject): string[] {
  return [...subject.raw.access.rights.keys()].filter((right) => right !== 'read' && right !== 'edit');
}

function grantsAccess(subject: Subject, word: string): boolean {
  if (['anyone', 'self', 'editor'].includes(word) || namedRights(subject).includes(word)) return true;
  const field = fieldOf(subject, word);
  if (field === 'unclear' || isMalformed(subject, 'access', word)) return true;
  return field !== null && kindOf(field).grants !== null;
}

function words(subject: Subject): string[] {
  const fields = [...subject.raw.fields].filter(([, field]) => kindOf(field).grants !== null);
  return ['anyone', 'self', 'editor', ...namedRights(subject), ...fields.map(([name]) => name)];
}

/** @param subject the resource whose right the word names */
function* right(
  subject: Subject,
  word: string,
  fixed: readonly string[],
  place: () => YamlPosition,
): Iterable<Diagnostic> {
  const allowed = [...fixed, ...namedRights(subject)];
  if (allowed.includes(word) || isMalformed(subject, 'access', word) || isMalformed(subject, 'access')) return;
  const holes = { resource: subject.raw.resource, right: word, allowed: allowed.join(', ') };
  yield diagnostic('E0313', place(), holes, suggestion(word, allowed));
}

/** The right that gives access through a clause: another right of the record, or a right on a reference's target. */
function grantingRight(subject: Subject, clause: RawClause, project: Project): string | null {
  if (typeof clause !== 'string') {
    const target = 'of' in clause ? subject.raw.fields.get(clause.of)?.to : undefined;
    return target === undefined || !('of' in clause) ? null : `${target}.${clause.right}`;
  }
  const resource = subject.raw.resource;
  if (clause === 'editor') return `${resource}.edit`;
  const field = subject.raw.fields.get(clause);
  if (field?.to !== undefined) return isPrincipal(field.to, project) ? null : `${field.to}.edit`;
  return field === undefined && namedRights(subject).includes(clause) ? `${resource}.${clause}` : null;
}

interface PlacedMember {
  readonly subject: Subject;
  readonly clause: RawMember;
  readonly pointer: Pointer;
  /** Null if unknown or unreadable. */
  readonly member: Subject | null;
}

function eachMember(rule: (placed: PlacedMember, project: Project) => Iterable<Diagnostic>): Rule {
  return each(function* (subject, project) {
    for (const [right, clauses] of subject.raw.access.rights) {
      for (const [index, clause] of clauses.entries()) {
        if (typeof clause === 'string' || !('member' in clause)) continue;
        const member = project.byName.get(clause.member) ?? null;
        yield* rule({ subject, clause, pointer: ['access', right, index], member }, project);
      }
    }
  });
}

const JSON_FIELD: Expectation = { expected: 'a field of kind json', fits: (field) => kindOf(field).structured };
