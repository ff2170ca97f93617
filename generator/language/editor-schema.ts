// The language's schema in the form that a YAML language server completes and shows best. It accepts what check accepts,
// and refuses keys that do not fit the kind of a field.

import { KINDS, keysOf, makes } from '../model/kinds/kinds.js';
import { descriptorSchema, type ProjectNames } from './descriptor-schema.js';
import { type Keywords, when } from './keywords.js';

/** The schema of a file under spec/resources, with the project's own names as choices. */
export function editorSchema(names: ProjectNames): Keywords {
  const { definitions, ...resource } = descriptorSchema(names);
  const { field_map: field, ...parts } = definitions as Readonly<Record<string, Keywords>>;
  const keys = (field as Keywords).properties as Keywords;
  const { kind, ...others } = keys;
  const all = { ...parts, field_map: byKind(kind, Object.keys(others)), field_keys: { properties: others } };
  return forEditors({ ...resource, definitions: all });
}

/** A server completes the keys of every schema that applies, so each applies to one kind alone, the last where there is none. */
function byKind(kind: unknown, all: readonly string[]): Keywords {
  const conditions = KINDS.map((one) =>
    when(kindIs({ const: one }), only(keysOf(one).filter((key) => key !== 'kind'))),
  );
  const withoutKind = { if: { required: ['kind'] }, else: only(all) };
  return { type: 'object', properties: { kind }, allOf: [...conditions, withoutKind] };
}

function kindIs(kind: Keywords): Keywords {
  return { properties: { kind }, required: ['kind'] };
}

function only(keys: readonly string[]): Keywords {
  const properties = keys.map((key) => [key, { $ref: `#/definitions/field_keys/properties/${key}` }]);
  // As a pattern, it is not completed a second time.
  return {
    properties: Object.fromEntries(properties),
    patternProperties: { '^kind$': {} },
    additionalProperties: false,
  };
}

/** Where other schemas are: by name, in a list, or as they are. */
const BY_NAME = ['properties', 'patternProperties', 'definitions'];
const LISTS = ['allOf'];
const SINGLE = ['items', 'additionalProperties', 'then', 'else'];

/** Titles are worded for the messages of check, and rows of decisions are for its authors. */
function forEditors({ title: _, ...schema }: Keywords): Keywords {
  const rest = converted(schema);
  const branches = [rest.then, rest.else] as readonly (Keywords | undefined)[];
  const offered = branches.filter((one) => one?.enum !== undefined || one?.$ref !== undefined);
  // What a condition leads to is not completed, what an alternative has is; the last keeps them from adding messages.
  return offered.length === 0 ? rest : { ...rest, anyOf: [...offered, {}] };
}

function converted(schema: Keywords): Keywords {
  const entries = Object.entries(schema).map(([key, value]) => {
    if (BY_NAME.includes(key)) return [key, eachOf(value as Keywords)];
    if (LISTS.includes(key)) return [key, (value as readonly Keywords[]).map(forEditors)];
    if (SINGLE.includes(key) && typeof value === 'object') return [key, forEditors(value as Keywords)];
    // Otherwise "property" is among the completions.
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
  const texts = Array.isArray(values) ? values.map((one) => makes(String(one))) : [];
  return texts.length === 0 || texts.includes('') ? {} : { markdownEnumDescriptions: texts };
}
