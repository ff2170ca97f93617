// Rules about what Citus refuses: a statement that joins records of different placements (D37). They follow what the engine
// composes, and count only where conventions.yaml names Citus.
import { type Diagnostic, diagnostic, type Place } from '../diagnostics/diagnostic.js';
import type { RawMember } from '../language/language.js';
import type { Project } from './project.js';
import { countedBy, each, eachField, isPrincipal, type ResourceRule, type Rule, type RuleTable } from './rule.js';
import { at, type Subject } from './subject.js';

function onCitus(rule: Rule): Rule {
  return function* (project) {
    if (project.spec.engines.includes('citus')) yield* rule(project);
  };
}

/** True if the reference leads to a record of the same placement, or is not there, which other rules report. */
function isInside(subject: Subject | null, reference: string): boolean {
  const field = subject?.raw.fields.get(reference);
  return field?.to === undefined || field.place === true || field.inside === true;
}

const rightsJoinOnePlacement: ResourceRule = function* (subject, project) {
  for (const [right, clauses] of subject.raw.access.rights) {
    // Whoever it is, nothing is looked up.
    if (clauses.includes('anyone')) continue;
    for (const [index, clause] of clauses.entries()) {
      const place = at(subject, ['access', right, index]);
      yield* typeof clause === 'string'
        ? throughReference(subject, clause, place, project)
        : throughMember(subject, clause, place, project);
    }
  }
};

function* throughReference(subject: Subject, name: string, place: Place, project: Project): Iterable<Diagnostic> {
  const to = subject.raw.fields.get(name)?.to;
  if (to === undefined || isPrincipal(to, project) || isInside(subject, name)) return;
  yield diagnostic('E0517', place, {
    task: 'check this right',
    record: `the ${to}`,
    others: `the ${subject.raw.resource}`,
    advice: `add "inside: true" to "${name}" if both always have one owner, or use a "member" placed with its user`,
  });
}

function* throughMember(subject: Subject, clause: RawMember, place: Place, project: Project): Iterable<Diagnostic> {
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

/** What the caller is a member of is read by a statement of its own. */
function isWithUser({ member }: RawMember, project: Project): boolean {
  const found = project.byName.get(member) ?? null;
  const user = [...(found?.raw.fields ?? [])].find(([, { to }]) => to !== undefined && isPrincipal(to, project));
  return user === undefined || isInside(found, user[0]);
}

const countsStayInside = eachField(function* ({ subject, field, pointer }, project) {
  if (field.count === undefined) return;
  const { resource } = subject.raw;
  for (const { subject: child, name } of countedBy(field.count, resource, project)) {
    if (isInside(child, name)) continue;
    yield diagnostic('E0517', at(subject, [...pointer, 'count']), {
      task: `count "${field.count}"`,
      record: `a ${child.raw.resource}`,
      others: `its ${resource}`,
      advice: `add "inside: true" to "${name}" of ${child.raw.resource} if both always have one owner, or remove the count`,
    });
  }
});

/** Whether a record would be inside itself is looked up by one statement, whenever the reference is changed. */
const treesStayInside = eachField(function* ({ subject, name, field, pointer }) {
  const { resource, operations } = subject.raw;
  const isFixed = field.read_only === true || field.from !== undefined || operations?.update === false;
  if (field.to !== resource || isFixed || isInside(subject, name)) return;
  yield diagnostic('E0517', at(subject, pointer, 'key'), {
    task: `look for a circle along "${name}"`,
    record: `a ${resource}`,
    others: `the ${resource} it refers to`,
    advice: `add "inside: true" to "${name}" if both always have one owner, or do not offer "update"`,
  });
});

/** The right to receive events is checked for users other than the caller, whose memberships are not read before. */
const ownersOfEventsAreJoined: Rule = function* (project) {
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
};

/** Those that give the right, directly or through records of the same placement. */
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
    if (typeof clause !== 'string') {
      if (!isWithRecord(subject, clause, project) && isWithUser(clause, project)) yield clause.member;
      continue;
    }
    const to = subject.raw.fields.get(clause)?.to;
    const next = to === undefined ? subject : project.byName.get(to);
    const via = to === undefined && clause !== 'editor' ? clause : 'edit';
    if (next && isInside(subject, clause)) yield* membersPlacedWithUsers(next, via, project, [...path, step]);
  }
}

export const ENGINE_RULES: RuleTable = {
  'on Citus, a right is read from one placement': onCitus(each(rightsJoinOnePlacement)),
  'on Citus, a count is of one placement': onCitus(countsStayInside),
  'on Citus, a tree is of one placement': onCitus(treesStayInside),
  'on Citus, the right to receive events is read from one placement': onCitus(ownersOfEventsAreJoined),
};
