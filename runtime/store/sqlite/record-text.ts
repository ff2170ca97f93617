// SQL that builds a record as JSON text, for each kind of viewer. Composes statements, but does not run them.
import type { AnyDefinition, View } from '../../definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import type { WireFormats } from '../records.js';
import { type Definitions, rightExpression } from './access.js';
import { propertySql } from './properties.js';

/** What is known about the viewer before the statement runs. */
export interface Viewer {
  /** SQL of the caller's id. */
  readonly user: '@user' | 'NULL';
  /** Rights the viewer certainly holds: everything, as an administrator, or `read` and `edit`. */
  readonly holds: 'nothing' | 'edit' | 'everything';
  /** True: the response to the create, which alone shows some properties. */
  readonly created: boolean;
}

/** The kinds of viewers of a record. */
export const VIEWERS = {
  anonymous: { user: 'NULL', holds: 'nothing', created: false },
  session: { user: '@user', holds: 'nothing', created: false },
  admin: { user: 'NULL', holds: 'everything', created: false },
  editor: { user: '@user', holds: 'edit', created: false },
  creator: { user: '@user', holds: 'edit', created: true },
  adminCreator: { user: 'NULL', holds: 'everything', created: true },
} as const satisfies Readonly<Record<string, Viewer>>;
export type ViewerName = keyof typeof VIEWERS;

export interface TextParts {
  /** SQL of the JSON text, over the row as `t` with the rights as further columns. */
  readonly text: string;
  /** `, (...) AS "@edit"`: the rights to be selected along with the columns of the row. */
  readonly rights: string;
}

/** What is needed to compose records of any definition. */
export interface Composing {
  readonly definitions: Definitions;
  readonly formats: WireFormats;
}

export interface RowRight {
  readonly right: string;
  /** Alias of the row's table in the statement. */
  readonly alias: string;
}

/** Boolean SQL over a row: whether `viewer` holds a right on it. */
export function viewerRight(
  { definitions }: Composing,
  definition: AnyDefinition,
  viewer: Viewer,
  { right, alias }: RowRight,
): string {
  if (right === 'admin') return viewer.holds === 'everything' ? '1' : '0';
  if (viewer.holds === 'everything') return '1';
  if (viewer.holds === 'edit' && (right === 'read' || right === 'edit')) return '1';
  return rightExpression(definitions, { resource: definition.name, right, alias, user: viewer.user });
}

/** The text of a record for `viewer`. A right on which several properties depend is evaluated once. */
export function recordText(composing: Composing, definition: AnyDefinition, viewer: Viewer): TextParts {
  const rights = new Map<string, string>();
  const row = { ...composing, definition, viewer, alias: 't' };
  const shown = Object.entries(definition.properties).flatMap(([name, property]) => {
    const { view = '', whenSet = false } = property;
    const visible = visibility(composing, definition, viewer, property.view);
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
 */
export function recordStatement(composing: Composing, definition: AnyDefinition, viewer: Viewer, id = '@id'): string {
  const { text, rights } = recordText(composing, definition, viewer);
  const read = viewerRight(composing, definition, viewer, { right: 'read', alias: 't' });
  const table = `${quoted(definition.name)} t WHERE t."id" = ${id}`;
  const result = READ_RESULTS[read]?.(text) ?? `iif(${read}, ${text}, NULL)`;
  if (rights === '') return `SELECT ${result} FROM ${table}`;
  return `WITH "@record" AS MATERIALIZED (SELECT t.*${rights} FROM ${table}) SELECT ${result} FROM "@record" t`;
}

const READ_RESULTS: Readonly<Record<string, (text: string) => string>> = {
  0: () => 'NULL',
  1: (text) => text,
};

interface Shown {
  readonly name: string;
  readonly sql: string;
  readonly condition: string;
  readonly whenSet: boolean;
}

function visibility(composing: Composing, definition: AnyDefinition, viewer: Viewer, view: View | undefined): string {
  if (view === undefined) return '1';
  if (view === 'nobody') return '0';
  if (view === 'created') return viewer.created ? '1' : '0';
  return viewerRight(composing, definition, viewer, { right: view === 'editor' ? 'edit' : view, alias: 't' });
}

function rightColumn(view: string): string {
  return quoted(`@${view}`);
}

function objectText(shown: readonly Shown[]): string {
  return `json_object(${shown.map(({ name, sql }) => `${literal(name)}, ${sql}`).join(', ')})`;
}

/** The members in order; `concat` leaves out NULL. */
function joinedText(shown: readonly Shown[]): string {
  // Every member starts with a comma; that of the first one is cut off.
  return `'{' || substr(concat(${shown.map(memberText).join(', ')}), 2) || '}'`;
}

function memberText({ name, sql, condition, whenSet }: Shown): string {
  const key = literal(`,${JSON.stringify(name)}:`);
  // json_quote returns the text null for NULL only.
  const value = whenSet ? `nullif(json_quote(${sql}), 'null')` : `json_quote(${sql})`;
  const member = `${key} || ${value}`;
  return condition === '1' ? member : `iif(${condition}, ${member}, NULL)`;
}
