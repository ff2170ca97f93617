// The properties that a record shows to a viewer: its own, and in a profile with extras (D07) the name of its type and, with a
// session, whether the viewer may view and edit the record.
import type { AnyDefinition, PropertyDefinition } from '../../contract/definition.js';
import type { RecordComposer, Viewer } from './viewers.js';

/** By name, in the order of the record; a property of the record takes precedence over an extra. */
export function shownProperties(
  { formats }: RecordComposer,
  { properties, title }: AnyDefinition,
  viewer: Viewer,
): readonly (readonly [string, PropertyDefinition])[] {
  if (formats.extras !== true) return Object.entries(properties);
  const isAnonymous = viewer.user === 'NULL' && viewer.holds === 'nothing';
  const name = { object_name: { kind: 'constant', value: title } } as const;
  return Object.entries({ ...name, ...properties, ...without(isAnonymous ? {} : RIGHTS, properties) });
}

const RIGHTS: Readonly<Record<string, PropertyDefinition>> = {
  can_view: { kind: 'right', right: 'read' },
  can_edit: { kind: 'right', right: 'edit' },
};

function without(extras: typeof RIGHTS, own: AnyDefinition['properties']): typeof RIGHTS {
  return Object.fromEntries(Object.entries(extras).filter(([name]) => !Object.hasOwn(own, name)));
}
