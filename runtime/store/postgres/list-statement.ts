// The statements of one list for one kind of viewer and one order. Composes them, but does not run them.
import type { AnyDefinition, List } from '../../definition.js';
import { quoted } from '../../schema/sql-text.js';
import { type ListVariant, listConditions } from '../sql/list-conditions.js';
import { partsAfter, sortedBy } from '../sql/list-order.js';
import { SCANNED_ROWS } from '../sql/list-page.js';
import type { Reading, RecordTexts } from './record-text.js';
import { recordTexts } from './record-text.js';

export interface ListStatements {
  readonly texts: RecordTexts;
  /** A row of `rows` and `shown`, both up to one more than are counted; binds parent, placement, user, filters. */
  readonly count: string;
  /**
   * Rows of texts and `@order0` ...; binds parent, placement, user, filters, limit, searched, and offset, or after0, after1, ...
   * @param pattern of the values after which it continues; null: by number
   */
  page(pattern: string | null): string;
  /** `@order0` ... of the last row that such a page searches, if there are so many; '': it searches the whole list. */
  end(pattern: string | null): string;
}

export function listStatements(
  reading: Reading,
  definition: AnyDefinition,
  list: List | null,
  variant: ListVariant,
): ListStatements {
  const conditions = listConditions(reading, definition, list, variant);
  const texts = recordTexts(reading, definition, variant.viewer, conditions.placement);
  const columns = variant.order.terms.map(({ name }, at) => `t.${quoted(name)} AS ${quoted(`@order${at}`)}`).join(', ');
  const selected = [texts.selected, columns].filter((part) => part !== '').join(', ');
  const sorted = sortedBy(reading.dialect, variant.order);
  const part = { definition, variant, ...conditions, sorted, selected, columns };
  return conditions.placement === '@placement' ? ofOneShard(part, texts) : ofAllShards(part, texts);
}

interface Parts extends ReturnType<typeof listConditions> {
  readonly definition: AnyDefinition;
  readonly sorted: string;
  readonly variant: ListVariant;
  readonly selected: string;
  readonly columns: string;
}

const ALL = 'true';

/** The page is selected before rights and properties are computed, so that they are only computed for what is shown. */
function ofOneShard(parts: Parts, texts: RecordTexts): ListStatements {
  const { within, shown, sorted, selected, columns, variant } = parts;
  const from = (after: string) => `FROM ${quoted(parts.definition.name)} t WHERE ${within}${after}`;
  const rows = (pattern: string | null): string => {
    const all = pattern === null ? [] : partsAfter(variant.order, pattern);
    if (!variant.order.isOwn || all.length < 2) return `SELECT t.* ${from(afterAny(all))} ${sorted}`;
    // Each is a part of an index.
    const inTurn = all.map((one) => `(SELECT t.* ${from(` AND ${one}`)} ${sorted} LIMIT @searched)`);
    return `SELECT t.* FROM (${inTurn.join(' UNION ALL ')}) t ${sorted}`;
  };
  const page = (pattern: string | null) => {
    const searched =
      shown === ALL ? rows(pattern) : `SELECT t.* FROM (${rows(pattern)} LIMIT @searched) t WHERE ${shown} ${sorted}`;
    return `SELECT ${selected} FROM (${searched} LIMIT @limit${pattern === null ? ' OFFSET @offset' : ''}) t ${sorted}`;
  };
  const shownRows = shown === ALL ? 'count(*)' : `count(*) FILTER (WHERE ${shown})`;
  const counted = shown === ALL ? '1' : 't.*';
  return {
    texts,
    count: `SELECT count(*) AS "rows", ${shownRows} AS "shown" FROM (SELECT ${counted} ${from('')} LIMIT ${SCANNED_ROWS + 1}) t`,
    page,
    end: (pattern) =>
      shown === ALL ? '' : `SELECT ${columns} FROM (${rows(pattern)}) t ${sorted} LIMIT 1 OFFSET @searched - 1`,
  };
}

/** Rights and properties cannot be computed once the pages of the shards were put together. */
function ofAllShards(parts: Parts, texts: RecordTexts): ListStatements {
  const { within, shown, sorted, selected, variant } = parts;
  const where = [within, shown].filter((one) => one !== ALL).join(' AND ') || ALL;
  const from = (after: string) => `FROM ${quoted(parts.definition.name)} t WHERE ${where}${after}`;
  return {
    texts,
    count: `SELECT count(*) AS "rows", count(*) AS "shown" FROM (SELECT 1 ${from('')} LIMIT ${SCANNED_ROWS + 1}) t`,
    page: (pattern) =>
      pattern === null
        ? `SELECT ${selected} ${from('')} ${sorted} LIMIT @limit OFFSET @offset`
        : `SELECT ${selected} ${from(afterAny(partsAfter(variant.order, pattern)))} ${sorted} LIMIT @limit`,
    end: () => '',
  };
}

function afterAny(parts: readonly string[]): string {
  return parts.length === 0 ? '' : ` AND (${parts.map((part) => `(${part})`).join(' OR ')})`;
}
