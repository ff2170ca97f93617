// Rules about where a record lives: one reference gives its placement, and the chain of them ends at the principal (D37).
import { diagnostic } from '../diagnostics/diagnostic.js';
import { circles } from './circles.js';
import type { Project } from './project.js';
import { each, eachField, isPrincipal, type Rule, type RuleTable } from './rule.js';
import { at, hasUnclearFields, type Subject } from './subject.js';

/** References that give placement, in the order of the fields. */
function places(subject: Subject) {
  return [...subject.raw.fields].flatMap(([name, field]) => {
    const { to, place } = field;
    return place === true && to !== undefined ? [[name, { ...field, to }] as const] : [];
  });
}

const onePlace = each(function* (subject) {
  const [first, ...others] = places(subject);
  for (const [name] of others) {
    yield diagnostic('E0505', at(subject, ['fields', name, 'place'], 'key'), { other: first?.[0] ?? '' });
  }
});

const placeIsNeverEmpty = each(function* (subject) {
  for (const [name, field] of places(subject)) {
    const filled = field.required || field.default !== undefined || field.from !== undefined;
    if (!filled) yield diagnostic('E0513', at(subject, ['fields', name, 'place'], 'key'), { field: name });
  }
});

const placementEnds: Rule = function* (project) {
  const edges = new Map<string, { to: string; place: { subject: Subject; name: string } }[]>();
  for (const subject of project.subjects) {
    const [first] = places(subject);
    if (first !== undefined) {
      edges.set(subject.raw.resource, [{ to: first[1].to, place: { subject, name: first[0] } }]);
    }
  }
  for (const { circle, place } of circles(edges)) {
    const where = at(place.subject, ['fields', place.name, 'place'], 'key');
    yield diagnostic('E0506', where, { circle: circle.join(' -> ') });
  }
};

/** Reported where the chain breaks: at the reference to a resource without placement. */
const placementEndsAtThePrincipal = each(function* (subject, project) {
  for (const [name, field] of places(subject)) {
    const target = project.byName.get(field.to);
    if (target === undefined || project.principal === null || isPrincipal(field.to, project)) continue;
    if (places(target).length > 0 || hasUnclearFields(target)) continue;
    yield diagnostic('E0507', at(subject, ['fields', name, 'place'], 'key'), { end: field.to });
  }
});

const insideHasOneOwner = eachField(function* ({ subject, field, pointer }, project) {
  if (field.to === undefined || field.inside !== true) return;
  const target = project.byName.get(field.to);
  for (const end of [subject, ...(target === undefined || target === subject ? [] : [target])]) {
    if (isPlaced(end, project)) continue;
    const place = at(subject, [...pointer, 'inside'], 'key');
    yield diagnostic('E0509', place, { resource: end.raw.resource });
  }
});

/** Whether its records have an owner. */
export function isPlaced(subject: Subject, project: Project): boolean {
  return places(subject).length > 0 || isPrincipal(subject.raw.resource, project) || hasUnclearFields(subject);
}

export const PLACEMENT_RULES: RuleTable = {
  'one reference gives placement': onePlace,
  'a reference that gives placement is never empty': placeIsNeverEmpty,
  'placement does not run in a circle': placementEnds,
  'placement ends at the principal': placementEndsAtThePrincipal,
  '"inside" has one owner on both ends': insideHasOneOwner,
};
