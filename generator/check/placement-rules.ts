// Rules about where a record lives (D37): one reference gives its placement, the chain of references ends at the principal, and
// Citus joins only records of one placement. Rules about Citus apply where conventions.yaml names it.

import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import type { RawMember } from '../language/language.js';
import { aggregateOf } from '../language/normalize.js';
import { maySet } from '../model/kinds/kind.js';
import { findCycles } from './cycles.js';
import type { Project } from './project.js';
import { countedReferences, each, eachField, isPrincipal, type Rule, type RuleTable } from './rule.js';
import { at, hasUnclearFields, type Subject } from './subject.js';

export const PLACEMENT_RULES: RuleTable = {
  'one reference gives placement': each(function* (subject) {
    const [first, ...others] = places(subject);
    for (const [name] of others) {
      yield diagnostic('E0505', at(subject, ['fields', name, 'place'], 'key'), { other: first?.[0] ?? '' });
    }
  }),

  'a reference that gives placement is never empty': each(function* (subject) {
    for (const [name, field] of places(subject)) {
      const filled = field.required || field.default !== undefined || field.from !== undefined;
      if (!filled) yield diagnostic('E0513', at(subject, ['fields', name, 'place'], 'key'), { field: name });
    }
  }),

  'placement does not run in a circle': function* (project) {
    const edges = new Map<string, { to: string; place: { subject: Subject; name: string } }[]>();
    for (const subject of project.subjects) {
      const [first] = places(subject);
      if (first !== undefined) {
        edges.set(subject.raw.resource, [{ to: first[1].to, place: { subject, name: first[0] } }]);
      }
    }
    for (const { circle, place } of findCycles(edges)) {
      const where = at(place.subject, ['fields', place.name, 'place'], 'key');
      yield diagnostic('E0506', where, { circle: circle.join(' -> ') });
    }
  },

  /** Reported where the chain breaks: at the reference to a resource without placement. */
  'placement ends at the principal': each(function* (subject, project) {
    for (const [name, field] of places(subject)) {
      const target = project.byName.get(field.to);
      if (target === undefined || project.principal === null || isPrincipal(field.to, project)) continue;
      if (places(target).length > 0 || hasUnclearFields(target)) continue;
      yield diagnostic('E0507', at(subject, ['fields', name, 'place'], 'key'), { end: field.to });
    }
  }),

  '"inside" has one owner on both ends': eachField(function* ({ subject, field, pointer }, project) {
    if (field.to === undefined || field.inside !== true) return;
    const target = project.byName.get(field.to);
    for (const end of [subject, ...(target === undefined || target === subject ? [] : [target])]) {
      if (isPlaced(end, project)) continue;
      const place = at(subject, [...pointer, 'inside'], 'key');
      yield diagnostic('E0509', place, { resource: end.raw.resource });
    }
  }),

  'on Citus, a right is read from one placement': onCitus(
    each(function* (subject, project) {
      for (const [right, clauses] of subject.raw.access.rights) {
        // A record that anyone may read needs no lookup.
        if (clauses.includes('anyone')) continue;
        for (const [index, clause] of clauses.entries()) {
          const place = at(subject, ['access', right, index]);
          yield* typeof clause === 'string' || 'of' in clause
            ? throughReference(subject, typeof clause === 'string' ? clause : clause.of, place, project)
            : throughMember(subject, clause, place, project);
        }
      }
    }),
  ),

  'on Citus, a count is of one placement': onCitus(
    eachField(function* ({ subject, field, pointer }, project) {
      const aggregate = aggregateOf(field);
      if (aggregate === null) return;
      const { resource } = subject.raw;
      const { key, list } = aggregate;
      for (const { subject: child, name } of countedReferences(list, resource, project)) {
        if (isInside(child, name)) continue;
        yield diagnostic('E0517', at(subject, [...pointer, key]), {
          task: `count "${list}"`,
          record: `a ${child.raw.resource}`,
          others: `its ${resource}`,
          advice: `add "inside: true" to "${name}" of ${child.raw.resource} if both always have one owner, or remove the ${key}`,
        });
      }
    }),
  ),

  /** One statement looks up whether a record would be inside itself, whenever the reference changes. */
  'on Citus, a tree is of one placement': onCitus(
    eachField(function* ({ subject, name, field, pointer }) {
      const { resource, operations } = subject.raw;
      const isFixed = !maySet(field) || operations?.update === false;
      if (field.to !== resource || isFixed || isInside(subject, name)) return;
      yield diagnostic('E0517', at(subject, pointer, 'key'), {
        task: `look for a circle along "${name}"`,
        record: `a ${resource}`,
        others: `the ${resource} it refers to`,
        advice: `add "inside: true" to "${name}" if both always have one owner, or do not offer "update"`,
      });
    }),
  ),

  /** The right to receive events is checked for users other than the caller, whose memberships are not read beforehand. */
  'on Citus, the right to receive events is read from one placement': onCitus(function* (project) {
    for (const [name, resource] of Object.entries(project.spec.ownerClasses)) {
      const subject = project.byName.get(resource);
      if (!subject || project.events === null) continue;
      for (const member of membersPlacedWithUsers(subject, 'edit', project)) {
        yield diagnostic('E0517', project.events.document.locate(['owner_classes', name]), {
          task: `check who may receive events of "${name}"`,
          record: `the ${member}`,
          others: `the ${resource}`,
          advice: `give the right to edit by a "member" that is placed with the ${resource}`,
        });
      }
    }
  }),
};

/** References that give placement, in the order of the fields. */
function places(subject: Subject) {
  return [...subject.raw.fields].flatMap(([name, field]) => {
    const { to, place } = field;
    return place === true && to !== undefined ? [[name, { ...field, to }] as const] : [];
  });
}

/** Whether the records of the resource have an owner. */
export function isPlaced(subject: Subject, project: Project): boolean {
  return places(subject).length > 0 || isPrincipal(subject.raw.resource, project) || hasUnclearFields(subject);
}

function onCitus(rule: Rule): Rule {
  return function* (project) {
    if (project.spec.engines.includes('citus')) yield* rule(project);
  };
}

/** Whether the reference leads to a record of the same placement; true also if it is missing, which other rules report. */
function isInside(subject: Subject | null, reference: string): boolean {
  const field = subject?.raw.fields.get(reference);
  return field?.to === undefined || field.place === true || field.inside === true;
}

function* throughReference(
  subject: Subject,
  name: string,
  place: YamlPosition,
  project: Project,
): Iterable<Diagnostic> {
  const to = subject.raw.fields.get(name)?.to;
  if (to === undefined || isPrincipal(to, project) || isInside(subject, name)) return;
  yield diagnostic('E0517', place, {
    task: 'check this right',
    record: `the ${to}`,
    others: `the ${subject.raw.resource}`,
    advice: `add "inside: true" to "${name}" if both always have one owner, or use a "member" placed with its user`,
  });
}

function* throughMember(
  subject: Subject,
  clause: RawMember,
  place: YamlPosition,
  project: Project,
): Iterable<Diagnostic> {
  if (isWithRecord(subject, clause, project) || isWithUser(clause, project)) return;
  const sharing = clause.in === undefined && isInside(subject, clause.by) ? `, or to "${clause.by}"` : '';
  yield diagnostic('E0517', place, {
    task: 'check this right',
    record: `the ${clause.member}`,
    others: `both the ${subject.raw.resource} and the caller`,
    advice: `add "place: true" to the reference of ${clause.member} to its user${sharing}`,
  });
}

function isWithRecord(subject: Subject, { member, by, in: list }: RawMember, { byName }: Project): boolean {
  const isOwn = !subject.raw.fields.has(by);
  return list === undefined && (isOwn || isInside(subject, by)) && isInside(byName.get(member) ?? null, by);
}

/** The caller's memberships are read by a separate statement. */
function isWithUser({ member }: RawMember, project: Project): boolean {
  const joining = project.byName.get(member) ?? null;
  const user = [...(joining?.raw.fields ?? [])].find(([, { to }]) => to !== undefined && isPrincipal(to, project));
  return user === undefined || isInside(joining, user[0]);
}

/** Members that give the right, directly or through records of the same placement. */
function* membersPlacedWithUsers(
  subject: Subject,
  right: string,
  project: Project,
  path: readonly string[] = [],
): Iterable<string> {
  const step = `${subject.raw.resource}.${right}`;
  const clauses = subject.raw.access.rights.get(right) ?? [];
  if (path.includes(step) || clauses.includes('anyone')) return;
  for (const clause of clauses) {
    if (typeof clause !== 'string' && 'member' in clause) {
      if (!isWithRecord(subject, clause, project) && isWithUser(clause, project)) yield clause.member;
      continue;
    }
    const name = typeof clause === 'string' ? clause : clause.of;
    const to = subject.raw.fields.get(name)?.to;
    const next = to === undefined ? subject : project.byName.get(to);
    const ofTarget = typeof clause === 'string' ? 'edit' : clause.right;
    const via = to === undefined && name !== 'editor' ? name : ofTarget;
    if (next && isInside(subject, name)) yield* membersPlacedWithUsers(next, via, project, [...path, step]);
  }
}
