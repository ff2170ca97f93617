// Has the store show records in the names of a version (D68), where definitions can say what it showed: such a record is never
// parsed, and costs what one of today does.

import type { AnyDefinition, PropertyDefinition } from '../../contract/definition.js';
import { chain } from '../../contract/maybe-promise.js';
import type { Answer, Call, Run } from '../../operations/call.js';
import { fetchOperation } from '../../operations/fetch.js';
import { listOperation } from '../../operations/list.js';
import { planAll } from '../../operations/plan.js';
import type { ResourceMapping, ShownField, VersionNames } from './names.js';
import type { Reads, VersionContext } from './versions.js';

/** An answer in the names of the version. */
interface ShownAnswer extends Answer {
  readonly isShown: true;
}

export function isShown(answer: Answer): answer is ShownAnswer {
  return 'isShown' in answer;
}

const NONE: readonly string[] = [];

/** Parameters of a fetch that add to the record what only today's names say. */
export const EXTRAS = ['_include_related_objects', '_include_relationships', '_include_options'];

/** @returns reads whose answers are in the names of the version if they are marked so */
export function readsIn(names: VersionNames, { definitions, profile, operations, store }: VersionContext): Reads {
  const shown = new Map(definitions.map((one) => [one.name, shownDefinition(one, names)]));
  const reads = store.readsBy(definitions.map((one) => shown.get(one.name) ?? one));
  const planOf = planAll(definitions);
  const either = (today: Run, earlier: Run, resourceOf: (call: Call) => string | undefined): Run => {
    // A copy by `...` would take longer than all else here.
    const marked = ({ status, body, version, ignored = NONE }: Answer): ShownAnswer => {
      return { status, body, version, ignored, isShown: true };
    };
    return (call) => (shown.get(resourceOf(call) ?? '') == null ? today(call) : chain(earlier(call), marked));
  };
  return {
    fetch: either(operations.fetch, fetchOperation(reads, planOf), ({ definition, parameters }) =>
      EXTRAS.some((name) => parameters[name] !== undefined) ? undefined : definition.name,
    ),
    list: either(operations.list, listOperation(reads, planOf, profile), ({ definition, name }) =>
      name === '' ? definition.name : planOf(definition).lists.get(name)?.name,
    ),
  };
}

/** The resource as it showed its records; null: a property had a form that definitions do not have. */
function shownDefinition(definition: AnyDefinition, names: VersionNames): AnyDefinition | null {
  const mapping = names.mapping(definition.name);
  if (mapping === undefined) return definition;
  const { fields, brief } = mapping.earlier;
  const all = mapping.shownFields.map((field) => [field.name, shownProperty(field, mapping, names)] as const);
  if (all.some(([, property]) => property === null)) return null;
  return {
    ...definition,
    properties: Object.fromEntries(all.flatMap(([name, one]) => (one == null ? [] : [[name, one]]))),
    brief: brief.filter((name) => definition.brief.includes(fields[name]?.shows ?? '')),
  };
}

/** Null: there is no such definition; undefined: the record does not show it. */
function shownProperty(
  { shows, constant, describes, form, renamed }: ShownField,
  mapping: ResourceMapping,
  names: VersionNames,
): PropertyDefinition | null | undefined {
  if (shows == null) return { kind: 'constant', value: null };
  const { definition } = mapping;
  const today = definition.properties[shows];
  if (today === undefined) return undefined;
  const { kind, view, whenSet } = today;
  const seen = { ...(view && { view }), ...(whenSet && { whenSet }) };
  if (constant !== undefined) return { kind: 'constant', value: constant, ...seen };
  if (describes !== undefined) return isBriefShown(names.mapping(describes), names) ? today : null;
  if (form === undefined && renamed === undefined) return today;
  if (kind !== 'column' && kind !== 'bit') return null;
  const { column } = today;
  if (renamed !== undefined)
    return form ? null : { kind: 'column', column, names: [...renamed].map(([from, to]) => ({ from, to })), ...seen };
  const isTruth = definition.columns[column]?.type === 'boolean' && (form === 'bit' || form === 'flag');
  return isTruth ? { kind: form === 'bit' ? 'bit' : 'column', column, ...seen } : null;
}

/** What is described within a description is null, whatever its form. */
function isBriefShown(mapping: ResourceMapping | undefined, names: VersionNames): boolean {
  if (mapping === undefined) return true;
  const brief = mapping.shownFields.filter(({ name, describes }) => {
    return describes === undefined && mapping.earlier.brief.includes(name);
  });
  return brief.every((field) => shownProperty(field, mapping, names) !== null);
}
