// Composes the JSON texts of records from selected rows, and reads what they show of other placements.

import type { AnyDefinition, PropertyDefinition } from '../../contract/definition.js';
import { byPlacement } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { quoted } from '../../schema/sql-text.js';
import { definitionOf } from '../sql/access.js';
import { rowsOf } from '../sql/rows.js';
import { shownProperties } from '../sql/shown-properties.js';
import { type RecordComposer, VIEWERS, type ViewerName, visibility } from '../sql/viewers.js';
import type { Connections, Row } from './connections.js';
import { type NamedStatement, type NamedValues, prepareNamed, type Query, run } from './database.js';
import { createMemberships } from './memberships.js';
import {
  jsonOf,
  NO_PROPERTY,
  type ReferencedColumn,
  type ShownProperty,
  type ShownRow,
  shownProperty,
} from './properties.js';

/** The context for reading records of any definition. */
export interface ReadContext extends RecordComposer {
  readonly connections: Connections;
  /** Runs a statement that depends on the caller's rights. */
  run(query: Query, statement: NamedStatement, bound: NamedValues): Promise<readonly Row[]>;
  /** The reader of what records show of other records to one kind of viewer. */
  elsewhere(viewer: ViewerName, from: ReferencedColumn): ReadElsewhere;
}

/** The texts shown of the records with these ids; records that do not exist are missing. */
type ReadElsewhere = (
  query: Query,
  ids: ReadonlySet<string>,
  user: string | null,
) => Promise<ReadonlyMap<string, string>>;

export interface RecordTexts {
  /** Terms of a SELECT list over the rows as `t`. */
  readonly selected: string;
  /** True if the terms are columns, so that the texts can be composed from stored rows. */
  readonly isOfRow: boolean;
  /** The texts of rows, in the same order. @param query runs the additional reads */
  texts(query: Query, rows: readonly Row[], user: string | null): Promise<readonly string[]>;
}

/** The text of a record for one kind of viewer. @param placement SQL of the placement of the rows */
export function recordTexts(
  reading: ReadContext,
  definition: AnyDefinition,
  viewer: ViewerName,
  placement: string,
): RecordTexts {
  const row = { ...reading, definition, viewer: VIEWERS[viewer], placement, isDescription: false };
  const shown = shownProperties(reading, definition, VIEWERS[viewer]);
  const members = shown.flatMap(([name, property]) => memberOf(name, property, row));
  return textsOf(reading, viewer, members);
}

export function createReadContext(composing: RecordComposer, connections: Connections): ReadContext {
  const kept = memoize((key: string) => {
    const [viewer, resource, column] = JSON.parse(key) as [ViewerName, string, string | null];
    return createReadElsewhere(reading, viewer, { resource, column });
  });
  const { memberOf, bind } = createMemberships(connections, composing.definitions);
  const reading: ReadContext = {
    ...composing,
    connections,
    memberOf,
    run: async (query, statement, bound) => run(query, statement(await bind(query, statement, bound))),
    elsewhere: (viewer, { resource, column }) => kept(JSON.stringify([viewer, resource, column])),
  };
  return reading;
}

interface Member {
  readonly key: string;
  readonly shown: ShownProperty;
  /** The column of the row that is 1 if the viewer may see the member; null: always visible. */
  readonly condition: string | null;
  readonly whenSet: boolean;
  /** The expression of `condition`. */
  readonly selected: Readonly<Record<string, string>>;
}

function memberOf(name: string, property: PropertyDefinition, row: ShownRow): readonly Member[] {
  const { view, whenSet = false } = property;
  const visible = visibility(row, row.definition, row.viewer, { view, alias: 't', placement: row.placement });
  if (visible === '0') return [];
  const condition = visible === '1' ? null : `@${view}`;
  const selected = condition === null ? {} : { [condition]: row.dialect.flag(visible) };
  return [{ key: `${JSON.stringify(name)}:`, shown: shownProperty(name, property, row), condition, whenSet, selected }];
}

function textsOf(reading: ReadContext, viewer: ViewerName, members: readonly Member[]): RecordTexts {
  const columns: Record<string, string> = {};
  for (const { selected, shown } of members) Object.assign(columns, selected, shown.selected);
  const elsewhere = members.flatMap((member) => {
    const from = member.shown.elsewhere;
    return from === null ? [] : [{ member, through: from.through, read: reading.elsewhere(viewer, from) }];
  });
  const readers = [...new Set(elsewhere.map(({ read }) => read))];
  return {
    selected: selectList(columns),
    isOfRow: Object.entries(columns).every(([name, sql]) => sql === `t.${quoted(name)}`),
    async texts(query, rows, user) {
      if (readers.length === 0) return rows.map((row) => objectText(members, row, NOTHING_FOUND));
      const textsByMember = new Map<Member, ReadonlyMap<string, string>>();
      const reads = readers.map(async (read) => {
        const through = elsewhere.filter((one) => one.read === read);
        const ids = new Set(through.flatMap((one) => rows.flatMap((row) => idsIn(row, one.member, one.through))));
        const texts = ids.size === 0 ? NOTHING : await read(query, ids, user);
        for (const { member } of through) textsByMember.set(member, texts);
      });
      await Promise.all(reads);
      return rows.map((row) => objectText(members, row, textsByMember));
    },
  };
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const NOTHING_FOUND: ReadonlyMap<Member, ReadonlyMap<string, string>> = new Map();

function idsIn(row: Row, { condition }: Member, through: string): readonly string[] {
  const id = row[through];
  return typeof id === 'string' && isVisible(row, condition) ? [id] : [];
}

function isVisible(row: Row, condition: string | null): boolean {
  return condition === null || row[condition] === 1;
}

function objectText(
  members: readonly Member[],
  row: Row,
  found: ReadonlyMap<Member, ReadonlyMap<string, string>>,
): string {
  let text = '';
  for (const member of members) {
    const { key, shown, condition, whenSet } = member;
    if (!isVisible(row, condition)) continue;
    const { elsewhere } = shown;
    const other = elsewhere && (found.get(member)?.get(String(row[elsewhere.through])) ?? null);
    const value = shown.text(row, other);
    if (whenSet && value === 'null') continue;
    text += `${text === '' ? '{' : ','}${key}${value}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** `t."name" AS "name"`, and so on. */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${quoted(name)}`)
    .join(', ');
}

/** Runs one statement for each placement, so that each reads one shard. */
function createReadElsewhere(
  reading: ReadContext,
  viewer: ViewerName,
  { resource, column }: Omit<ReferencedColumn, 'through'>,
): ReadElsewhere {
  const definition = definitionOf(reading.definitions, resource);
  const { selected, texts } =
    column === null
      ? briefTexts(reading, definition, viewer)
      : { selected: `t.${quoted(column)} AS "value"`, texts: copied };
  const statement = prepareNamed(
    reading.connections,
    `SELECT ${[...(selected === '' ? [] : [selected]), 't."id" AS "@id"'].join(', ')} FROM ${rowsOf(definition)} ` +
      `WHERE ${reading.dialect.placed('t', '@placement')} AND t."id" = ANY(@ids)`,
  );
  return async (query, ids, user) => {
    const textsById = new Map<string, string>();
    const reads = byPlacement(ids).map(async (group) => {
      const rows = await reading.run(query, statement, { ...group, user });
      const shown = await texts(query, rows, user);
      for (const [at, row] of rows.entries()) textsById.set(String(row['@id']), shown[at] ?? 'null');
    });
    await Promise.all(reads);
    return textsById;
  };
}

function briefTexts(reading: ReadContext, definition: AnyDefinition, viewer: ViewerName): RecordTexts {
  const row = { ...reading, definition, viewer: VIEWERS[viewer], placement: '@placement', isDescription: true };
  const members = definition.brief.map((name) => {
    const property = definition.properties[name];
    const shown = property === undefined ? NO_PROPERTY : shownProperty(name, property, row);
    return { key: `${JSON.stringify(name)}:`, shown, condition: null, whenSet: false, selected: {} };
  });
  return textsOf(reading, viewer, members);
}

async function copied(_query: Query, rows: readonly Row[]): Promise<readonly string[]> {
  return rows.map(({ value }) => jsonOf(value));
}
