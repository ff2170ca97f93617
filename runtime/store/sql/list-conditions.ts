// What the statements of a list have in common on all engines: its conditions, its order, and where a cursor continues.
import type { AnyDefinition, List } from '../../definition.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { allOf } from './conditions.js';
import type { Dialect } from './dialect.js';
import { isInside } from './references.js';
import { type Composing, VIEWERS, type ViewerName, viewerRight } from './viewers.js';

export interface ListOrder {
  /** Columns in order of precedence; the id comes last. */
  readonly columns: readonly string[];
  readonly descending: boolean;
}

/** One way to read a list. The variants of a list are few, however many filters it has. */
export interface ListVariant {
  readonly viewer: ViewerName;
  readonly order: ListOrder;
  /** False: without the filters, which prevent an engine from reading an index in order even if none is used. */
  readonly filtered: boolean;
}

export interface ListConditions {
  /** Of the rows as `t`; binds parent, user and filters, two parameters per filter: `has_<column>` (0/1) and `is_<column>`. */
  readonly where: string;
  /** Rows after a cursor; binds after0, after1, ... */
  readonly after: string;
  readonly sorted: string;
  /** SQL of the placement of the rows, `@placement` if all have that of their parent. */
  readonly placement: string;
}

export function listConditions(
  composing: Composing,
  definition: AnyDefinition,
  list: List,
  { viewer, order, filtered }: ListVariant,
): ListConditions {
  const { dialect } = composing;
  const inside = isInside(definition, list.by);
  const placement = inside ? '@placement' : dialect.placement('t');
  const where = allOf([
    inside ? dialect.placed('t', placement) : '1',
    `t.${quoted(list.by)} = @parent`,
    ...Object.entries(list.where).map(([column, value]) => dialect.same(`t.${quoted(column)}`, literal(value))),
    ...(filtered ? definition.filters : []).map(
      (column) => `(@has_${column} = 0 OR ${dialect.same(`t.${quoted(column)}`, `@is_${column}`)})`,
    ),
    viewerRight(composing, definition, VIEWERS[viewer], { right: 'read', alias: 't', placement }),
  ]);
  const terms = order.columns.map((column) =>
    // An id is never NULL.
    column === 'id'
      ? `t."id"${order.descending ? ' DESC' : ''}`
      : dialect.ordered(`t.${quoted(column)}`, order.descending),
  );
  return {
    where: dialect.where(where),
    after: afterCursor(dialect, order),
    sorted: `ORDER BY ${terms.join(', ')}`,
    placement,
  };
}

/**
 * Rows after the bound ones. NULL comes first, as in ORDER BY, which a comparison of row values would not respect:
 * each column decides if all before it are equal.
 */
function afterCursor(dialect: Dialect, { columns, descending }: ListOrder): string {
  const last = columns.length - 1;
  const cases = columns.map((column, place) => {
    const equal = columns.slice(0, place).map((before, index) => dialect.same(`t.${quoted(before)}`, `@after${index}`));
    const [value, bound] = [`t.${quoted(column)}`, `@after${place}`];
    const beyond = `${value} ${descending ? '<' : '>'} ${bound}`;
    const nulls = descending
      ? `(${value} IS NULL AND ${bound} IS NOT NULL)`
      : `(${value} IS NOT NULL AND ${bound} IS NULL)`;
    return `(${[...equal, place === last ? beyond : `(${beyond} OR ${nulls})`].join(' AND ')})`;
  });
  return cases.length === 1 ? (cases[0] ?? '1') : `(${cases.join(' OR ')})`;
}
