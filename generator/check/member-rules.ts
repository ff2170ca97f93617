// Rules about access through a joining resource: the user it names, the reference both records share, its conditions.
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.js';
import type { RawMember } from '../language/language.js';
import type { Pointer } from '../load/load.js';
import { kindOf } from '../model/kinds/kinds.js';
import type { Project } from './project.js';
import {
  each,
  find,
  findResource,
  isPrincipal,
  isUnknown,
  type PlaceOf,
  type Rule,
  type RuleTable,
  refersToUnknown,
} from './rule.js';
import { at, hasUnclearFields, type Subject } from './subject.js';
import { conditionFits } from './value-rules.js';

interface PlacedMember {
  readonly subject: Subject;
  readonly clause: RawMember;
  readonly pointer: Pointer;
  /** Null: unknown or unreadable. */
  readonly member: Subject | null;
}

function eachMember(rule: (placed: PlacedMember, project: Project) => Iterable<Diagnostic>): Rule {
  return each(function* (subject, project) {
    for (const [right, clauses] of subject.raw.access.rights) {
      for (const [index, clause] of clauses.entries()) {
        if (typeof clause === 'string') continue;
        const member = project.byName.get(clause.member) ?? null;
        yield* rule({ subject, clause, pointer: ['access', right, index], member }, project);
      }
    }
  });
}

const memberIsKnown = eachMember(({ subject, clause, pointer }, project) => {
  return findResource(project, clause.member, () => at(subject, [...pointer, 'member'])).mistakes;
});

const memberNamesOneUser = eachMember(function* ({ subject, clause, pointer, member }, project) {
  if (member === null || project.principal === null || hasUnclearFields(member)) return;
  if (refersToUnknown(member, project)) return;
  const users = [...member.raw.fields].filter(([, { to }]) => to !== undefined && isPrincipal(to, project));
  const place = at(subject, [...pointer, 'member']);
  const principal = project.principal.raw.resource;
  if (users.length === 0) yield diagnostic('E0511', place, { member: clause.member, principal });
  const fields = users.map(([name]) => name).join(', ');
  if (users.length > 1) yield diagnostic('E0512', place, { member: clause.member, fields });
});

const bothHaveTheReference = eachMember(function* ({ subject, clause, pointer, member }, project) {
  const place = () => at(subject, [...pointer, 'by']);
  const { resource, fields } = subject.raw;
  const leads = member?.raw.fields.get(clause.by)?.to;
  // Without the reference, the members are those of the record itself.
  if (leads !== undefined && isUnknown(leads, project)) return;
  if (!fields.has(clause.by) && (leads === resource || (clause.in !== undefined && clause.by === resource))) return;
  const one = yield* referenced(subject, clause.by, place);
  if (member === null || clause.in !== undefined) return;
  const other = yield* referenced(member, clause.by, place);
  if (one === null || other === null || [one, other].some((name) => isUnknown(name, project))) return;
  if (one !== other) yield diagnostic('E0514', place(), { one, other });
  else if (one === resource) yield diagnostic('E0518', place(), { by: clause.by, resource });
});

/** The resource that a reference points at; null, and a diagnostic, if the field is not a reference. */
function* referenced(subject: Subject, name: string, place: PlaceOf): Generator<Diagnostic, string | null> {
  const { field, mistakes } = find(subject, name, place);
  yield* mistakes;
  if (field === null) return null;
  if (field.to !== undefined) return field.to;
  yield diagnostic('E0316', place(), { field: name, resource: subject.raw.resource, expected: 'a reference' });
  return null;
}

const itemsAreJson = eachMember(function* ({ subject, clause, pointer, member }) {
  if (member === null || clause.in === undefined) return;
  const place = () => at(subject, [...pointer, 'in']);
  const { field, mistakes } = find(member, clause.in, place);
  yield* mistakes;
  if (field === null || kindOf(field).structured) return;
  yield diagnostic('E0316', place(), { field: clause.in, resource: clause.member, expected: 'a field of kind json' });
});

const conditionsFit = eachMember(function* ({ subject, clause, pointer, member }) {
  if (member === null) return;
  yield* conditionFits(member, clause.where ?? {}, (key) => at(subject, [...pointer, 'where', key]));
});

export const MEMBER_RULES: RuleTable = {
  'a joining resource exists': memberIsKnown,
  'a joining resource names one user': memberNamesOneUser,
  'a joining resource and the record share a reference': bothHaveTheReference,
  'items of a joining resource are JSON': itemsAreJson,
  'a condition on a joining resource fits its field': conditionsFit,
};
