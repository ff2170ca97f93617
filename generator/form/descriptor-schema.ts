// The descriptor language as one JSON Schema (draft-07), which check validates with; and the form of it that YAML language
// servers complete and show best, which accepts what check accepts and refuses keys that do not fit the kind of a field.

import { FIELD_KEYS } from '../language/field-keys.js';
import { byType, closed, conditional, type Keywords, NAME } from '../language/keywords.js';
import {
  CONVENTIONS_FILE,
  EVENTS_FILE,
  inheritedConventions,
  RESOURCE_KEYS,
  RESOURCE_REQUIRED,
  sharedDefinitions,
} from '../language/resource-keys.js';
import { ATTRIBUTE_KINDS, KINDS, keysOfKind, kindDescription } from '../model/kinds/kinds.js';

export interface ProjectNames {
  readonly resources: readonly string[];
  readonly conventions: readonly string[];
  readonly events: readonly string[];
  /** References of its resources, which are offered where descriptors name the holders of a right. */
  readonly references: readonly string[];
}

/** Names for a schema that allows any name. */
export const NO_NAMES: ProjectNames = { resources: [], conventions: [], events: [], references: [] };

/** The schema of a file under spec/resources, with the project's own names as choices; an empty list allows any name. */
export function descriptorSchema(names: ProjectNames): Keywords {
  const resource = choice(names.resources);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'descriptor.schema.json',
    title: 'Descriptor',
    description: 'Describes one resource of the service. The language is documented on one page: spec/README.md.',
    ...closed({ ...RESOURCE_KEYS, extends: inheritedConventions(choice(names.conventions)) }, RESOURCE_REQUIRED),
    definitions: {
      ...sharedDefinitions(resource, names.references),
      field: byType('string', { enum: KINDS }, { $ref: '#/definitions/field_map' }),
      field_map: fieldMap(resource, names.events),
      attribute: byType('string', { enum: ATTRIBUTE_KINDS }, attribute()),
      conventions_file: CONVENTIONS_FILE,
      events_file: EVENTS_FILE,
    },
  };
}

function choice(names: readonly string[]): Keywords {
  return names.length === 0 ? NAME : { type: 'string', enum: [...names].sort() };
}

/** An attribute of the catalogue is a field without the keys about callers, records and columns. */
function attribute(): Keywords {
  const keys = ['default', 'description', 'example', 'schema', 'values', 'min', 'max', 'scale'] as const;
  const rows = keys.map((key) => [key, { ...FIELD_KEYS[key].schema, description: FIELD_KEYS[key].description }]);
  return closed({ kind: { enum: ATTRIBUTE_KINDS }, ...Object.fromEntries(rows) }, ['kind']);
}

/** A rule of check decides which of the keys a kind has, since a convention may give the kind. */
function fieldMap(resource: Keywords, events: readonly string[]): Keywords {
  const rows = Object.entries(FIELD_KEYS).map(([key, { schema, description }]) => [key, { ...schema, description }]);
  const keys: Readonly<Record<string, Keywords>> = Object.fromEntries(rows);
  const properties = {
    kind: { enum: KINDS, description: 'What the field holds.' },
    ...keys,
    to: { ...keys.to, ...resource },
    values: events.length === 0 ? keys.values : { ...keys.values, examples: [[...events].sort()] },
  };
  return closed(properties);
}

/** The schema of a file under spec/resources, with the project's own names as choices. */
export function editorSchema(names: ProjectNames): Keywords {
  const { definitions, ...resource } = descriptorSchema(names);
  const { field_map: field, ...parts } = definitions as Readonly<Record<string, Keywords>>;
  const keys = (field as Keywords).properties as Keywords;
  const { kind, ...others } = keys;
  const all = { ...parts, field_map: byKind(kind, Object.keys(others)), field_keys: { properties: others } };
  return forEditors({ ...resource, definitions: all });
}

/** A server completes the keys of every schema that applies, so each applies to one kind only, the last if there is no kind. */
function byKind(kind: unknown, all: readonly string[]): Keywords {
  const conditions = KINDS.map((one) =>
    conditional(kindIs({ const: one }), only(keysOfKind(one).filter((key) => key !== 'kind'))),
  );
  const withoutKind = { if: { required: ['kind'] }, else: only(all) };
  return { type: 'object', properties: { kind }, allOf: [...conditions, withoutKind] };
}

function kindIs(kind: Keywords): Keywords {
  return { properties: { kind }, required: ['kind'] };
}

function only(keys: readonly string[]): Keywords {
  const properties = keys.map((key) => [key, { $ref: `#/definitions/field_keys/properties/${key}` }]);
  // A pattern keeps the server from completing it a second time.
  return {
    properties: Object.fromEntries(properties),
    patternProperties: { '^kind$': {} },
    additionalProperties: false,
  };
}

/** The keywords whose values are schemas: by name, in a list, or single. */
const BY_NAME = ['properties', 'patternProperties', 'definitions'];
const LISTS = ['allOf'];
const SINGLE = ['items', 'additionalProperties', 'then', 'else'];

/** Leaves out titles, which are worded for messages of check, and references to decisions. */
function forEditors({ title: _, ...schema }: Keywords): Keywords {
  const rest = converted(schema);
  const branches = [rest.then, rest.else] as readonly (Keywords | undefined)[];
  const offered = branches.filter((one) => ['enum', 'examples', '$ref'].some((key) => one?.[key] !== undefined));
  // Servers complete the keys of alternatives, but not of conditions; the last alternative keeps these from adding messages.
  return offered.length === 0 ? rest : { ...rest, anyOf: [...offered, {}] };
}

function converted(schema: Keywords): Keywords {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (BY_NAME.includes(key)) return [key, eachOf(value as Keywords)];
    if (LISTS.includes(key)) return [key, (value as readonly Keywords[]).map(forEditors)];
    if (SINGLE.includes(key) && typeof value === 'object') return [key, forEditors(value as Keywords)];
    // Otherwise servers offer "property" as a completion.
    if (key === 'propertyNames') return [key, { ...forEditors(value as Keywords), doNotSuggest: true }];
    if (key === 'description') return [key, String(value).replaceAll(DECISIONS, '')];
    return [key, value];
  });
  return { ...Object.fromEntries(entries), ...textsOf(schema.enum) };
}

function eachOf(schemas: Keywords): Keywords {
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, forEditors(one as Keywords)]));
}

/** ` (D17, D18)` */
const DECISIONS = / \([DS]\d+(, [DS]\d+)*\)/g;

function textsOf(values: unknown): Keywords {
  const texts = Array.isArray(values) ? values.map((one) => kindDescription(String(one))) : [];
  return texts.length === 0 || texts.includes('') ? {} : { markdownEnumDescriptions: texts };
}
