// The conditions that the statements of a list share on all engines: which rows are in it, and who sees them.
import type { AnyDefinition, List } from '../../contract/definition.js';
import { BOUND_NAMES, BOUNDS } from '../../contract/ranges.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { definitionOf } from './access.js';
import { allOf } from './conditions.js';
import type { ListOrder } from './list-order.js';
import { isInside } from './references.js';
import { rowsOf } from './rows.js';
import { type RecordComposer, VIEWERS, type ViewerName, viewerRight } from './viewers.js';

/** One way to read a list. A list has few variants, however many filters it has. */
export interface ListVariant {
  readonly viewer: ViewerName;
  readonly order: ListOrder;
  /** False: the statement omits the filters, which, even unused, prevent an engine from reading an index in order. */
  readonly filtered: boolean;
  /** True: only rows whose ids are in the JSON list `@matches` (D44). */
  readonly searched: boolean;
}

/** Conditions on rows as `t`; those of a search bind matches. */
export interface ListConditions {
  /** The rows of the list, which an index finds; binds parent. */
  readonly within: string;
  /**
   * The rows that are shown: '1' for all. Binds user, two parameters per filter, `has_<column>` (0/1) and `is_<column>`, and for
   * a range also `gte_<column>` and so on.
   */
  readonly shown: string;
  /** SQL of the placement of the rows, `@placement` if all have the placement of their parent. */
  readonly placement: string;
}

/** The ids of the records through which a list leads, which have the placement of the parent (D43). */
function targets({ dialect, definitions }: RecordComposer, { resource, by }: NonNullable<List['through']>): string {
  const where = allOf([dialect.placed('x', '@placement'), `x.${quoted(by)} = @parent`]);
  return `SELECT x."id" FROM ${rowsOf(definitionOf(definitions, resource), 'x')} WHERE ${where}`;
}

/** SQL conditions, each of which holds for all rows if the request does not use its filter. */
function filterConditions({ dialect }: RecordComposer, { filters, ranges }: AnyDefinition): readonly string[] {
  return [
    ...filters.map((column) => `(@has_${column} = 0 OR ${dialect.same(`t.${quoted(column)}`, `@is_${column}`)})`),
    ...ranges.flatMap((column) =>
      BOUND_NAMES.map((bound) => {
        const value = `@${bound}_${column}`;
        // The comparison comes first: PostgreSQL infers the type of a parameter from its first use, but not from IS NULL.
        return `(t.${quoted(column)} ${BOUNDS[bound]} ${value} OR ${value} IS NULL)`;
      }),
    ),
  ];
}

export function listConditions(
  composing: RecordComposer,
  definition: AnyDefinition,
  list: List | null,
  { viewer, filtered, searched }: ListVariant,
): ListConditions {
  const { dialect } = composing;
  const filters = filtered ? filterConditions(composing, definition) : [];
  const conditions = (where: List['where']) =>
    Object.entries(where).map(([column, value]) => dialect.same(`t.${quoted(column)}`, literal(value)));
  if (list === null) {
    // Anyone may read the records of this list.
    const within = [
      ...(VIEWERS[viewer].holds === 'everything' ? [] : conditions(definition.whole?.where ?? {})),
      ...(searched ? [dialect.among('t', '@matches')] : []),
    ];
    const placement = dialect.placement('t');
    return { within: dialect.where(allOf(within)), shown: dialect.where(allOf(filters)), placement };
  }
  const inside = isInside(definition, list.by);
  const placement = inside ? '@placement' : dialect.placement('t');
  const within = allOf([
    inside ? dialect.placed('t', placement) : '1',
    list.through === undefined
      ? `t.${quoted(list.by)} = @parent`
      : `t.${quoted(list.by)} IN (${targets(composing, list.through)})`,
    ...conditions(list.where),
  ]);
  const shown = allOf([
    ...filters,
    viewerRight(composing, definition, VIEWERS[viewer], { right: 'read', alias: 't', placement }),
  ]);
  return { within: dialect.where(within), shown: dialect.where(shown), placement };
}
