// Pages of the records that refer to one (D56), of every resource: resource by resource, each in the order of the ids.
import { REQUESTS } from '../../contract/defaults.js';
import type { AnyDefinition } from '../../contract/definition.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import { quoted } from '../../schema/sql-text.js';
import type { Caller, ListedPage, Page } from '../records.js';
import type { Composer } from './access.js';
import { allOf } from './conditions.js';
import { decodeCursor } from './cursor.js';
import type { Dialect } from './dialect.js';
import { countedOf, listed, type PageItem, refusePageAfter } from './list-page.js';
import { referringTo } from './referring.js';
import { rowsOf } from './rows.js';

/** A resource whose records may refer to the record, and a statement for each of its columns that does. */
export interface Use {
  readonly definition: AnyDefinition;
  readonly statements: readonly string[];
}

export function usesOf({ definitions, dialect }: Composer, definition: AnyDefinition): readonly Use[] {
  const statements = new Map<AnyDefinition, string[]>();
  for (const { child, reference } of referringTo(definitions, definition)) {
    statements.set(child, [...(statements.get(child) ?? []), usingStatement(dialect, child, reference.column)]);
  }
  return [...statements].map(([child, all]) => ({ definition: child, statements: all }));
}

/** The ids after `@after` of the records whose column holds `@id`, `@limit` of them. The index of the column has this order. */
function usingStatement(dialect: Dialect, child: AnyDefinition, column: string): string {
  const where = dialect.where(allOf([`t.${quoted(column)} = @id`, 't."id" > @after']));
  return `SELECT t."id" AS "id" FROM ${rowsOf(child)} WHERE ${where} ORDER BY t."id" LIMIT @limit`;
}

/** What an engine reads. */
export interface ReadUses {
  /** The ids that a statement of a Use finds, in order. */
  using(statement: string, bound: Using): MaybePromise<readonly string[]>;
  /** Those that the caller may read, in any order. */
  readable(definition: AnyDefinition, ids: readonly string[], caller: Caller): MaybePromise<readonly string[]>;
  /** The record as the caller sees it; null: it no longer exists. */
  text(definition: AnyDefinition, id: string, caller: Caller): MaybePromise<string | null>;
}

export interface Using {
  readonly id: string;
  readonly after: string;
  readonly limit: number;
}

export interface UsesPage {
  readonly id: string;
  readonly page: Page;
  readonly caller: Caller;
}

const KEY = 'uses';

/** The caller may read the record itself. Reads at most so many ids of each column as are counted. */
export async function listUses(
  uses: readonly Use[],
  read: ReadUses,
  { id, page, caller }: UsesPage,
): Promise<ListedPage> {
  const cursor = page.cursor === null ? null : decodeCursor(KEY, ['string', 'string'], page.cursor);
  const [resource = '', after = ''] = (cursor?.values ?? []) as readonly string[];
  const from = Math.max(
    0,
    uses.findIndex(({ definition }) => definition.name === resource),
  );
  const found: (readonly [definition: AnyDefinition, id: string])[] = [];
  let [scanned, end]: [number, readonly [string, string] | null] = [0, null];
  for (const [at, { definition, statements }] of uses.slice(from).entries()) {
    if (scanned > REQUESTS.scannedRows) break;
    const bound = { id, after: at === 0 ? after : '', limit: REQUESTS.scannedRows + 1 - scanned };
    const all = await Promise.all(statements.map((statement) => read.using(statement, bound)));
    const ids = [...new Set(all.flat())].sort().slice(0, bound.limit);
    scanned += ids.length;
    // What follows is for the next page, however few of these are shown.
    if (scanned > REQUESTS.scannedRows) end = [definition.name, ids.at(-1) ?? ''];
    const readable = new Set(ids.length === 0 ? [] : await read.readable(definition, ids, caller));
    found.push(...ids.filter((one) => readable.has(one)).map((one) => [definition, one] as const));
  }
  if (cursor === null) refusePageAfter(page, scanned);
  const start = cursor === null ? (page.number - 1) * page.size : 0;
  const shown = found.slice(start, start + page.size + 1);
  const texts = await Promise.all(shown.map(([definition, one]) => read.text(definition, one, caller)));
  const rows = shown.flatMap(([definition, one], at): PageItem[] => {
    const text = texts[at] ?? null;
    return text === null ? [] : [[text, definition.name, one]];
  });
  const counted = cursor?.counted ?? countedOf(scanned, found.length, true);
  return listed(page, { key: KEY, counted, rows, end });
}
