// The written form of a schema is lossless.
import { compactTable, readSchema } from '../../runtime/schema/compact.js';
import type { Schema } from '../../runtime/schema/schema.js';

const id = { number: 2, name: 'id', type: 'text', kind: 'text', nullable: false, default: null } as const;
const SCHEMA: Schema = {
  revision: 7,
  tables: [
    {
      number: 1,
      name: 'box',
      formerly: ['crate'],
      columns: [
        { ...id, check: null, references: null },
        { ...id, number: 3, name: 'text', nullable: true, default: '', check: null, references: null },
        { ...id, number: 4, name: 'lid', type: 'integer', kind: 'boolean', default: 0, check: null, references: null },
        {
          ...id,
          number: 5,
          name: 'box_id',
          kind: 'reference',
          check: { rule: 'length', min: 0, max: null },
          references: { table: 'box', onDelete: 'cascade', inside: false },
        },
      ],
      uniques: [['text']],
      indexes: [
        { columns: ['box_id'], partial: true },
        { columns: ['lid'], partial: false },
      ],
    },
    {
      number: 6,
      name: 'lone',
      columns: [{ ...id, number: 7, check: null, references: null }],
      uniques: [],
      indexes: [],
    },
  ],
};

test('a schema that is written and read is unchanged', () =>
  expect(readSchema(JSON.stringify({ ...SCHEMA, tables: SCHEMA.tables.map(compactTable) }))).toEqual(SCHEMA));

test('defaults are not written', () => {
  expect(SCHEMA.tables.map(compactTable)).toContainEqual({
    number: 6,
    name: 'lone',
    columns: [{ number: 7, name: 'id', type: 'text', kind: 'text' }],
  });
});

test('a form with all defaults is read as well', () => expect(readSchema(JSON.stringify(SCHEMA))).toEqual(SCHEMA));
