// The descriptor language as one JSON Schema, draft-07: what check judges by. Editors read it in the form of editor-schema.ts.
import { ATTRIBUTE_KINDS, KINDS } from '../model/kinds/kinds.js';
import { FIELD_KEYS } from './field-keys.js';
import { byType, closed, type Keywords, NAME } from './keywords.js';
import { CONVENTIONS_FILE, EVENTS_FILE, extended, parts, RESOURCE_KEYS, RESOURCE_REQUIRED } from './resource-keys.js';

export interface ProjectNames {
  readonly resources: readonly string[];
  readonly conventions: readonly string[];
  readonly events: readonly string[];
}

/** The schema of a file under spec/resources, with the project's own names as choices; an empty list allows any name. */
export function descriptorSchema(names: ProjectNames): Keywords {
  const resource = choice(names.resources);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'descriptor.schema.json',
    title: 'Descriptor',
    description: 'Describes one resource of the service. The language is documented on one page: spec/README.md.',
    ...closed({ ...RESOURCE_KEYS, extends: extended(choice(names.conventions)) }, RESOURCE_REQUIRED),
    definitions: {
      ...parts(resource),
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

/** Which of the keys a kind has is a rule of check, which also sees a kind given by a convention. */
function fieldMap(resource: Keywords, events: readonly string[]): Keywords {
  const rows = Object.entries(FIELD_KEYS).map(([key, { schema, description }]) => [key, { ...schema, description }]);
  const known: Readonly<Record<string, Keywords>> = Object.fromEntries(rows);
  const properties = {
    kind: { enum: KINDS, description: 'What the field holds.' },
    ...known,
    to: { ...known.to, ...resource },
    values: events.length === 0 ? known.values : { ...known.values, examples: [[...events].sort()] },
  };
  return closed(properties);
}
