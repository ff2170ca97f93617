// The type of a rule, and the iterators and lookups that rules share.
import { type Diagnostic, diagnostic, type YamlPosition } from '../diagnostics/diagnostic.js';
import { type Suggestion, suggestion } from '../diagnostics/suggest.js';
import type { RawField } from '../language/language.js';
import { listsBy, type PlainMap, plain } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import { memoizeByObject } from '../memoize.js';
import { kindOf, targetName } from '../model/kinds/kinds.js';
import type { Project, ReferringField } from './project.js';
import { fieldNames, fieldOf, type Subject, suggestField } from './subject.js';

/** The key is the rule as a sentence. */
export type RuleTable = Readonly<Record<string, Rule>>;
export type Rule = (project: Project) => Iterable<Diagnostic>;
export type ResourceRule = (subject: Subject, project: Project) => Iterable<Diagnostic>;

/**
 * A rule about one resource at a time.
 * @param subjectsOf which resources: all of them by default
 */
export function each(rule: ResourceRule, subjectsOf = ({ subjects }: Project) => subjects): Rule {
  return function* (project) {
    for (const subject of subjectsOf(project)) yield* rule(subject, project);
  };
}

export interface PlacedField {
  readonly subject: Subject;
  readonly name: string;
  readonly field: RawField;
  readonly pointer: Pointer;
}

/** A rule about one field at a time, including parameters of actions and attributes of the catalogue. */
export function eachField(rule: (placed: PlacedField, project: Project) => Iterable<Diagnostic>): Rule {
  const ofResources = each(function* (subject, project) {
    for (const placed of placedFields(subject)) yield* rule(placed, project);
  });
  return function* (project) {
    yield* ofResources(project);
    const { shared: subject, spec } = project;
    for (const [name, field] of spec.catalogue?.attributes ?? [])
      yield* rule({ subject, name, field, pointer: [...ATTRIBUTES, name] }, project);
  };
}

/** Listed once for all rules, without map entries, since listing is most of the work of a rule that has nothing to report. */
const placedFields = memoizeByObject((subject: Subject): readonly PlacedField[] => {
  const { fields, actions } = subject.raw;
  const placed = (of: ReadonlyMap<string, RawField>, ...place: readonly string[]): readonly PlacedField[] =>
    [...of].map(([name, field]) => ({ subject, name, field, pointer: [...place, name] }));
  const ofActions = [...actions].flatMap(([name, { parameters }]) => placed(parameters, 'actions', name, 'parameters'));
  return [...placed(fields, 'fields'), ...ofActions];
});

/** Where conventions.yaml declares the attributes of the catalogue. */
const ATTRIBUTES = ['catalogue', 'attributes'] as const;

/** The maps of fields of a resource before any field is validated, with their pointers. */
export function fieldMaps(
  subject: Subject,
  { shared }: Project,
): { pointer: Pointer; fields: PlainMap; action: boolean }[] {
  if (subject === shared) {
    const { attributes } = plain(subject.merged.catalogue);
    return [{ pointer: ATTRIBUTES, fields: plain(attributes), action: false }];
  }
  const actions = Object.entries((subject.merged.actions ?? {}) as Record<string, { parameters?: PlainMap }>);
  return [
    { pointer: ['fields'], fields: (subject.merged.fields ?? {}) as PlainMap, action: false },
    ...actions.map(([name, { parameters }]) => ({
      pointer: ['actions', name, 'parameters'],
      fields: parameters ?? {},
      action: true,
    })),
  ];
}

/** A place that is looked up only for a mistake, since most checks find none. */
export type PlaceOf = () => YamlPosition;

/** The field, or why there is none; neither if the field has mistakes of its own. */
export function find(
  subject: Subject,
  name: string,
  place: PlaceOf,
): { field: RawField | null; mistakes: Diagnostic[] } {
  const field = fieldOf(subject, name);
  if (field === 'unclear') return { field: null, mistakes: [] };
  if (field !== null) return { field, mistakes: [] };
  const holes = { resource: subject.raw.resource, field: name };
  return {
    field: null,
    mistakes: [diagnostic('E0305', place(), holes, suggestField(subject, name, fieldNames(subject)))],
  };
}

/** What a key needs of the field that it names. */
export interface Expectation {
  /** In words. */
  readonly expected: string;
  fits(field: RawField): boolean;
}

export const STORED_VALUE: Expectation = { expected: 'a stored value', fits: isStoredValue };
export const REFERENCE: Expectation = { expected: 'a reference', fits: ({ to }) => to !== undefined };
export const REFERENCE_OF_ONE_OWNER: Expectation = {
  expected: 'a reference with "place" or "inside"',
  fits: ({ to, place, inside }) => to !== undefined && (place === true || inside === true),
};

/** Whether the field is stored in a column with its own name. */
export function isStoredValue(field: RawField): boolean {
  const { refers, derived, secret } = kindOf(field);
  return refers === null && !derived && !secret;
}

/** The field that a key names; null, with a diagnostic, if it does not exist or is not what the key needs. */
export function* fieldThat(
  subject: Subject,
  name: string,
  place: PlaceOf,
  { expected, fits }: Expectation,
): Generator<Diagnostic, RawField | null> {
  const { field, mistakes } = find(subject, name, place);
  yield* mistakes;
  if (field === null || fits(field)) return field;
  yield unsuitable(subject, name, place(), expected);
  return null;
}

export function unsuitable(subject: Subject, field: string, place: YamlPosition, expected: string): Diagnostic {
  return diagnostic('E0316', place, { field, resource: subject.raw.resource, expected });
}

/** The resource, or why there is none. */
export function findResource(
  project: Project,
  name: string,
  place: PlaceOf,
): { found: Subject | null; mistakes: Diagnostic[] } {
  const found = project.byName.get(name) ?? null;
  if (found !== null || project.unreadable.has(name)) return { found, mistakes: [] };
  return { found, mistakes: [diagnostic('E0303', place(), { resource: name }, meantResource(project, name))] };
}

/** The resource that had the name before, or one with a similar name. */
function meantResource({ byName }: Project, word: string): Suggestion | null {
  const [renamed, ...others] = [...byName].filter(([, { raw }]) => raw.was === word);
  if (renamed !== undefined && others.length === 0) return { word, name: renamed[0], isCertain: true };
  return suggestion(word, byName.keys());
}

/** Whether there is no such resource, which is reported only where it is named. */
export function isUnknown(name: string, { byName, unreadable }: Pick<Project, 'byName' | 'unreadable'>): boolean {
  return !byName.has(name) && !unreadable.has(name);
}

/** Whether one of its references names a resource that does not exist, so that its target is unknown. */
export function refersToUnknown({ raw }: Subject, project: Pick<Project, 'byName' | 'unreadable'>): boolean {
  return [...raw.fields.values()].some(({ to }) => to !== undefined && isUnknown(to, project));
}

/** The resource that a reference, image or file points at; null if it is unknown. */
export function targetOf(field: RawField, project: Project): Subject | null {
  const name = targetName(field, project.uploads?.raw.resource);
  return name === undefined ? null : (project.byName.get(name) ?? null);
}

export function isPrincipal(name: string, project: Project): boolean {
  return project.principal !== null && project.principal.raw.resource === name;
}

/** The references that declare the list over which a count, a sum or a greatest value is taken. */
export function countedReferences(list: string, resource: string, { referring }: Project): readonly ReferringField[] {
  return (referring.get(resource) ?? []).filter(({ subject: { raw }, field }) => listsBy(field, raw).has(list));
}
