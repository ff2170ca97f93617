// Downloads that are found by words and deleted with their game; everybody finds those that are free.
import type { AnyDefinition } from '../../runtime/contract/definition.js';
import type { Schema, Table } from '../../runtime/schema/schema.js';
import type { Page } from '../../runtime/store/records.js';
import { SAMPLE, SAMPLE_SCHEMA } from '../store/sample.js';
import { FIRST_PAGE } from '../store/setup.js';

const download = {
  ...SAMPLE.download,
  sortable: ['name'],
  filters: ['file_id'],
  whole: { by: 'anyone', where: { free: 1 }, search: ['name', 'note'] },
  columns: { ...SAMPLE.download?.columns, note: { type: 'text' } },
  properties: { ...SAMPLE.download?.properties, note: { kind: 'column', column: 'note' } },
  parameters: { ...SAMPLE.download?.parameters, note: { kind: 'text' } },
  actions: { withdraw: { by: 'edit', parameters: {}, validate: () => true, sets: { free: 0 } } },
  handlers: {
    create: (input, { id }) => ({ note: null, free: 1, ...input, id }) as never,
    update: (row, input) => ({ ...row, ...input }) as never,
  },
} as AnyDefinition;

const NOTE = { number: 99, name: 'note', type: 'text', nullable: true, default: null, check: null, references: null };
/** The sample with a search. */
export const SEARCHED = {
  definitions: Object.values({ ...SAMPLE, download }),
  schema: {
    ...SAMPLE_SCHEMA,
    tables: SAMPLE_SCHEMA.tables.map((table) =>
      table.name === 'download'
        ? ({
            ...table,
            columns: [...table.columns, NOTE],
            indexes: [{ columns: ['free'], partial: false, whole: true }],
            search: { columns: ['name', 'note'], listed: { free: 1 } },
          } as Table)
        : table,
    ),
  } satisfies Schema,
};

/** A page of all downloads. */
export const PAGE: Page = { ...FIRST_PAGE, parent: null, list: '' };
