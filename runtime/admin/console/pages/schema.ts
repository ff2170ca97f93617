// The schema of the database: its revision, what is pending, the steps that led to it, values kept aside, and what is
// deprecated with how often it was used.

import type { AnyDefinition } from '../../../contract/definition.js';
import type { Schema } from '../../../schema/schema.js';
import { isAppliedAtStart, type SchemaMigrator } from '../../../store/schema-migrator.js';
import type { PageRoute } from '../page.js';
import { type Cell, cell, count, fact, pageView, section, type Table, table, timeCell } from '../view.js';

export interface SchemaSource {
  readonly migrator: Pick<SchemaMigrator, 'current' | 'plan'>;
  /** The schema that this server was built with. */
  readonly schema: Schema;
  readonly definitions: readonly AnyDefinition[];
  /** Requests that used something deprecated, by `<resource>.<field>`. */
  uses(): Promise<ReadonlyMap<string, number>>;
}

export function schemaPages(source: SchemaSource): readonly PageRoute[] {
  return [{ method: 'GET', path: '/schema', run: () => show(source) }];
}

async function show({ migrator, schema, definitions, uses }: SchemaSource) {
  const [{ applied, kept }, pending, used] = await Promise.all([migrator.current(), migrator.plan(schema), uses()]);
  const steps = pending?.plan.steps ?? [];
  const state =
    steps.length === 0
      ? cell('up to date', { tone: 'good' })
      : cell(pending !== null && isAppliedAtStart(pending) ? 'applied at the next start' : 'needs migrate apply', {
          tone: 'warn',
        });
  const latest = applied.toReversed().slice(0, SHOWN);
  const sections = [
    section({
      facts: [
        fact('Revision of this server', String(schema.revision)),
        fact('Revision of the database', String(pending?.from.revision ?? '–')),
        fact('Pending', state),
      ],
    }),
    ...(steps.length === 0 ? [] : [tableSection('Plan', ['Class', 'Step'], steps.map(stepCells))]),
    keptSection(kept),
    deprecatedSection(definitions, used),
    tableSection(
      'Applied steps',
      ['When', 'Class', 'Step'],
      latest.map((step) => [timeCell(step.applied), ...stepCells(step)]),
      'The database was created with this schema.',
    ),
  ];
  return { page: pageView({ title: 'Schema', sections }) };
}

/** The number of applied steps that are shown, the latest first. */
const SHOWN = 100;

function tableSection(heading: string, columns: readonly string[], rows: Table['rows'], empty = 'There are none.') {
  return section({ heading, table: table({ caption: heading, columns, rows, empty }) });
}

function stepCells(step: { readonly says: string; readonly class: string }): readonly Cell[] {
  return [cell(step.class, { tone: 'plain' }), cell(step.says)];
}

function keptSection(kept: readonly { readonly name: string; readonly rows: number; readonly dropped: number }[]) {
  const rows = kept.map(({ name, rows: values, dropped }) => [
    cell(name, { code: true }),
    cell(count(values, 'value')),
    timeCell(dropped),
  ]);
  return tableSection('Values kept aside', ['Dropped', 'Kept', 'When'], rows);
}

function deprecatedSection(definitions: readonly AnyDefinition[], used: ReadonlyMap<string, number>) {
  const rows = definitions.flatMap(({ name, deprecations = [] }) =>
    deprecations.map(({ field = null, deprecated, sunset }) => [
      cell(field === null ? name : `${name}.${field}`, { code: true }),
      cell(deprecated ?? '–'),
      cell(sunset ?? '–'),
      cell(count(used.get(`${name}.${field ?? ''}`) ?? 0, 'request')),
    ]),
  );
  const columns = ['What', 'Since', 'Removed on', 'Used since this server started'];
  return tableSection('Deprecated', columns, rows, 'Nothing is deprecated.');
}
