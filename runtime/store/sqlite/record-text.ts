// Composes the SQL that builds a record as JSON text for each kind of viewer, but does not run it.

import type { AnyDefinition } from '../../contract/definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { rowsOf } from '../sql/rows.js';
import { shownProperties } from '../sql/shown-properties.js';
import { type RecordComposer, type Viewer, viewerRight, visibility } from '../sql/viewers.js';
import { propertySql } from './properties.js';

export interface TextParts {
  /** SQL of the JSON text, over the row as `t` with the rights as additional columns. */
  readonly text: string;
  /** `, (...) AS "@edit"`: the rights to select together with the columns of the row. */
  readonly rights: string;
}

/** The text of a record for `viewer`. A right on which several properties depend is evaluated only once. */
export function recordText(composing: RecordComposer, definition: AnyDefinition, viewer: Viewer): TextParts {
  const rights = new Map<string, string>();
  const row = { ...composing, definition, viewer, alias: 't' };
  const shown = shownProperties(composing, definition, viewer).flatMap(([name, property]) => {
    const { view = '', whenSet = false } = property;
    const visible = visibility(composing, definition, viewer, { view: property.view, alias: 't' });
    if (visible === '0') return [];
    if (visible !== '1') rights.set(rightColumn(view), visible);
    const condition = visible === '1' ? '1' : `t.${rightColumn(view)}`;
    return [{ name, sql: propertySql(property, row), condition, whenSet }];
  });
  const always = shown.every(({ condition, whenSet }) => condition === '1' && !whenSet);
  return {
    text: always ? objectText(shown) : joinedText(shown),
    rights: [...rights].map(([column, sql]) => `, (${sql}) AS ${column}`).join(''),
  };
}

/**
 * The statement that reads one record: no row if it does not exist, NULL if the viewer may not read it.
 * @param id SQL of its id
 * @param besides further columns of the row to select
 */
export function recordStatement(
  composing: RecordComposer,
  definition: AnyDefinition,
  viewer: Viewer,
  { id = '@id', besides = [] }: { readonly id?: string; readonly besides?: readonly string[] } = {},
): string {
  const { text, rights } = recordText(composing, definition, viewer);
  const read = viewerRight(composing, definition, viewer, { right: 'read', alias: 't' });
  const table = `${rowsOf(definition)} WHERE t."id" = ${id}`;
  const shown = READ_RESULTS[read]?.(text) ?? `iif(${read}, ${text}, NULL)`;
  const result = [shown, ...besides.map((column) => `t.${quoted(column)}`)].join(', ');
  if (rights === '') return `SELECT ${result} FROM ${table}`;
  return `WITH "@record" AS MATERIALIZED (SELECT t.*${rights} FROM ${table}) SELECT ${result} FROM "@record" t`;
}

const READ_RESULTS: Readonly<Record<string, (text: string) => string>> = {
  0: () => 'NULL',
  1: (text) => text,
};

interface ShownMember {
  readonly name: string;
  readonly sql: string;
  readonly condition: string;
  readonly whenSet: boolean;
}

function rightColumn(view: string): string {
  return quoted(`@${view}`);
}

function objectText(shown: readonly ShownMember[]): string {
  return `json_object(${shown.map(({ name, sql }) => `${literal(name)}, ${sql}`).join(', ')})`;
}

/** The members in order; `concat` skips NULL. */
function joinedText(shown: readonly ShownMember[]): string {
  // Every member starts with a comma; the first comma is cut off.
  return `'{' || substr(concat(${shown.map(memberText).join(', ')}), 2) || '}'`;
}

function memberText({ name, sql, condition, whenSet }: ShownMember): string {
  const key = literal(`,${JSON.stringify(name)}:`);
  // json_quote returns the text null only for NULL.
  const value = whenSet ? `nullif(json_quote(${sql}), 'null')` : `json_quote(${sql})`;
  const member = `${key} || ${value}`;
  return condition === '1' ? member : `iif(${condition}, ${member}, NULL)`;
}
