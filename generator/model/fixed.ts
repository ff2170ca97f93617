// The columns and properties that every record has besides those of its fields.

import type { Property, UnnumberedColumn } from './model.js';

const FIXED = { nullable: false, default: null, check: null, references: null, sortable: true, copies: null } as const;
const DATE = { ...FIXED, storage: 'date', kind: 'date' } as const;
const NOW = { from: 'now' } as const;

/** In the order of the table, before all other columns. */
export const FIXED_COLUMNS: readonly UnnumberedColumn[] = [
  {
    ...FIXED,
    name: 'id',
    storage: 'text',
    kind: 'text',
    write: { by: 'service', initial: { from: 'id' }, update: 'kept' },
  },
  { ...DATE, name: 'date_created', write: { by: 'service', initial: NOW, update: 'kept' } },
  { ...DATE, name: 'date_updated', write: { by: 'service', initial: NOW, update: 'now' } },
];

export const FIXED_NAMES: readonly string[] = FIXED_COLUMNS.map(({ name }) => name);

/** The property under which every record shows its type constant (D28). */
export const TYPE_PROPERTY = 'object_type';

/** The names of the properties that every record shows. */
export const FIXED_PROPERTIES: readonly string[] = [...FIXED_NAMES, TYPE_PROPERTY];

const SHOWN = { view: null, nullable: false, whenSet: false } as const;
const SHOWN_DATE = {
  ...SHOWN,
  schema: { type: 'string', format: 'date-time' },
  example: '2026-01-02T03:04:05.678Z',
} as const;

/**
 * @param properties of the fields
 * @param constant the type constant, and the names of the properties that show it
 * @returns all properties in the order in which they are shown: the id, the identity, the type, the dates and the others
 */
export function withFixedProperties(
  properties: readonly Property[],
  constant: { readonly value: string; readonly names: readonly string[] },
): readonly Property[] {
  return [
    {
      ...SHOWN,
      name: 'id',
      description: 'Never changes.',
      schema: { type: 'string' },
      source: { kind: 'column', column: 'id' },
      example: '0a01kmz3b5wqd7c8r9t2v4x6y8',
    },
    ...properties.filter(({ name }) => name === 'identity'),
    ...constant.names.map((name) => typeProperty(name, constant.value)),
    dateProperty('date_created', 'When the record was created.'),
    dateProperty('date_updated', 'When the record last changed.'),
    ...properties.filter(({ name }) => name !== 'identity'),
  ];
}

function typeProperty(name: string, value: string): Property {
  const description = 'Type of the record.';
  const source = { kind: 'constant', value } as const;
  return { ...SHOWN, name, description, schema: { type: 'string', const: value }, source, example: value };
}

function dateProperty(name: string, description: string): Property {
  return { ...SHOWN_DATE, name, description, source: { kind: 'column', column: name } };
}
