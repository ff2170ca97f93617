// Two schemas that need every kind of step between them, and one that is reached online.
import type { Check, Column, Schema } from '../../../runtime/schema/schema.js';
import { column, refers, renamed, schema, table } from '../schemas.js';

const range = { rule: 'range', min: 0, max: 99_999 } as const;
const code = column(3, 'code', { nullable: true, check: { rule: 'length', min: 1, max: 9 } });
const size = column(4, 'size', { type: 'integer', nullable: true });
const count = column(5, 'count', { type: 'integer' });
const removed = column(6, 'gone', { nullable: true });
const box = column(22, 'box_id', { references: refers('box') });
const place = column(23, 'place', { type: 'integer' });
const sort = column(24, 'sort', { kind: 'enum', check: choice('big', 'small') });
const grade = column(25, 'grade', { kind: 'enum', check: choice('fine', 'rough') });

/** @param renamed the new name of the first value */
function choice(first: string, second: string, renamed?: string): Check {
  const name = renamed === undefined ? { name: first } : { name: renamed, formerly: [first] };
  return {
    rule: 'choice',
    names: [
      { number: 70, ...name },
      { number: 71, name: second },
    ],
  };
}

/** Servers of the previous version can run with the new name of a value that need not be unique. */
const otherSort: Column = { ...sort, check: choice('big', 'small', 'huge') };
const otherGrade: Column = { ...grade, check: choice('fine', 'rough', 'smooth') };

export const FROM: Schema = schema(
  table(1, 'box', [code, size, count, removed], { indexes: [{ columns: ['gone'], partial: true }] }),
  table(20, 'die', [box, place, sort, grade], {
    uniques: [['place', 'grade']],
    indexes: [
      { columns: ['place'], partial: false },
      // The first index is unique across placements, the second within one placement.
      { columns: ['grade', 'place'], partial: false, unique: { grade: 'rough' } },
      { columns: ['box_id', 'place'], partial: false, unique: { grade: 'rough' } },
    ],
    search: { columns: ['box_id'], listed: {} },
  }),
  table(30, 'old', [column(32, 'die_id', { nullable: true, references: refers('die', 'set_null') })]),
);

/** A copy of the crate's size; the size is empty in some rows. */
const copied = column(26, 'size', {
  type: 'integer',
  fill: { column: 'size', through: { column: 'crate_id', table: 'crate' } },
});

/** The box is a crate; a table and a column are removed, another of each is added; the rest has other limits or types. */
export const TO: Schema = schema(
  table(
    1,
    'crate',
    [
      renamed(code, 'label'),
      { ...size, nullable: false, default: 7, check: range },
      column(9, 'tag', { fill: { column: 'count' } }),
      { ...count, type: 'text', kind: 'text', check: { rule: 'length', min: 1, max: 20 } },
      column(8, 'parent_id', { nullable: true, references: refers('crate', 'set_null') }),
    ],
    {
      search: { columns: ['label', 'count'], listed: { size: 7 } },
      formerly: ['box'],
      uniques: [['label'], ['count']],
      indexes: [{ columns: ['label', 'size'], partial: false }],
    },
  ),
  table(
    20,
    'die',
    [{ ...renamed(box, 'crate_id'), references: refers('crate') }, place, otherSort, otherGrade, copied],
    {
      uniques: [
        ['crate_id', 'place'],
        ['place', 'grade'],
      ],
      indexes: [
        { columns: ['place'], partial: false },
        { columns: ['grade', 'place'], partial: false, unique: { grade: 'fine' } },
        { columns: ['crate_id', 'sort', 'place'], partial: false, unique: { size: null } },
      ],
    },
  ),
  table(40, 'card', [column(42, 'die_id', { references: refers('die') })], { uniques: [['die_id']] }),
);

/** Servers of the first schema can run with this one at every step. */
export const ONLINE: Schema = {
  revision: 1001,
  tables: [
    ...FROM.tables
      .map((one) =>
        one.name === 'die'
          ? { ...one, columns: one.columns.map((each) => (each.name === 'sort' ? otherSort : each)) }
          : one,
      )
      .map((one) =>
        one.name === 'box'
          ? {
              ...one,
              columns: [
                ...one.columns,
                column(50, 'note', { nullable: true, check: { rule: 'length', min: 1, max: 9 } }),
                column(51, 'weight', { type: 'integer', default: 3, check: range }),
                column(52, 'in_id', { nullable: true, references: refers('box', 'set_null') }),
              ],
              indexes: [{ columns: ['weight'], partial: false }],
            }
          : one,
      ),
    table(60, 'card', [column(62, 'die_id', { references: refers('die') })]),
  ],
};
