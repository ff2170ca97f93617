// Has the store show records in the names of a version (D68), where definitions can say what it showed: such a record is never
// parsed, and costs what one of today does.

import type { AnyDefinition, PropertyDefinition } from '../../contract/definition.js';
import { chain } from '../../contract/maybe-promise.js';
import type { Answer, Call, Run } from '../../operations/call.js';
import { planAll } from '../../operations/plan.js';
import type { ResourceMapping, ShownField, VersionNames } from './names.js';
import type { ShownOperations, VersionContext } from './versions.js';

/** Whether an answer is in the names of the version. */
export function isShown(answer: Answer): boolean {
  return 'isShown' in answer;
}

/** Parameters of a fetch that add to the record what only today's names say. */
const EXTRAS = ['_include_related_objects', '_include_relationships', '_include_options'];

/** @returns operations whose answers are in the names of the version if they are marked so */
export function shownIn(names: VersionNames, context: VersionContext): ShownOperations {
  const { definitions, operations, operationsOver, store } = context;
  const shown = new Map(definitions.map((one) => [one.name, shownDefinition(one, names)]));
  const methods = store.shownBy(definitions.map((one) => shown.get(one.name) ?? one));
  const earlier = operationsOver(methods);
  const planOf = planAll(definitions);
  const marked = (answer: Answer): Answer => Object.assign(answer, { isShown: true });
  const either = (verb: keyof ShownOperations, resourceOf: (call: Call) => string | undefined): Run => {
    return (call) =>
      shown.get(resourceOf(call) ?? '') == null ? operations[verb](call) : chain(earlier[verb](call), marked);
  };
  // A token is added to today's text, and an answer that is stored for a key may be given under any version.
  const written = ({ definition, idempotencyKey }: Call) =>
    methods.create === undefined || definition.token || idempotencyKey ? undefined : definition.name;
  return {
    fetch: either('fetch', ({ definition, parameters }) =>
      EXTRAS.some((name) => parameters[name] !== undefined) ? undefined : definition.name,
    ),
    list: either('list', ({ definition, name }) =>
      name === '' ? definition.name : planOf(definition).lists.get(name)?.name,
    ),
    create: either('create', written),
    update: either('update', written),
  };
}

/** The resource as it showed its records; null: a property had a form that definitions do not have. */
function shownDefinition(definition: AnyDefinition, names: VersionNames): AnyDefinition | null {
  const mapping = names.mapping(definition.name);
  if (mapping === undefined) return definition;
  const properties: Record<string, PropertyDefinition> = {};
  for (const field of mapping.shown) {
    const property = shownProperty(field, definition, names);
    if (property === null) return null;
    properties[field.name] = property;
  }
  return { ...definition, properties, brief: mapping.brief.map(({ name }) => name) };
}

/** Null: there is no such definition. */
function shownProperty(
  { shows, constant, describes, form, renamed }: ShownField,
  { properties, columns }: AnyDefinition,
  names: VersionNames,
): PropertyDefinition | null {
  const today = properties[shows ?? ''];
  if (today === undefined) return { kind: 'constant', value: null };
  if (constant !== undefined) return { ...today, kind: 'constant', value: constant };
  if (describes !== undefined) return isBriefShown(names.mapping(describes), names) ? today : null;
  if (form === undefined && renamed.length === 0) return today;
  if (today.kind !== 'column' && today.kind !== 'bit') return null;
  if (renamed.length > 0) return form ? null : { ...today, kind: 'column', names: renamed };
  const isTruth = columns[today.column]?.type === 'boolean' && (form === 'bit' || form === 'flag');
  return isTruth ? { ...today, kind: form === 'bit' ? 'bit' : 'column' } : null;
}

/** What is described within a description is null, whatever its form. */
function isBriefShown(mapping: ResourceMapping | undefined, names: VersionNames): boolean {
  return (
    mapping === undefined ||
    mapping.brief.every((one) => one.describes !== undefined || shownProperty(one, mapping.definition, names) !== null)
  );
}
