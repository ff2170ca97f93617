// Reads and checks the paging, order and filter parameters of a list (D23).
import { REQUESTS } from '../contract/defaults.js';
import type { AnyDefinition, ParameterKind, Scalar } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import { bit, epoch } from '../contract/kit.js';
import { filterParameters, type RangeBound } from '../contract/ranges.js';
import { orderTerm } from '../schema/order.js';
import { MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, SEARCH_PARAMETERS, searchWords } from '../schema/text-words.js';
import type { Page } from '../store/records.js';
import type { Parameters } from './call.js';
import { coerce } from './validate.js';

/** A list: the parent's resource (null: all records), its name, and what the definition of its items states about lists. */
export interface ListContext {
  readonly parent: string | null;
  readonly list: string;
  readonly items: Pick<AnyDefinition, 'sortable' | 'whole'>;
  readonly filters: ListFilters;
  /** In place of a page size that is out of range; null: that is refused. */
  readonly otherPageSize: number | null;
}

/** The parameters by which a list can be filtered; computed once, not for every request. */
export interface ListFilters {
  readonly names: readonly string[];
  readonly read: readonly ReadFilter[];
}

interface ReadFilter {
  readonly name: string;
  /** The store's name for it. */
  readonly as: string;
  readonly kind: ParameterKind;
}

/** Other names of bounds, such as `_start_` before the column; empty: there are none. */
export type BoundPrefixes = Readonly<Partial<Record<RangeBound, string>>>;

export const NO_FILTERS: ListFilters = { names: [], read: [] };

/** A bound under its own name comes after the name with a prefix, which it overrides. */
export function listFilters(items: AnyDefinition, boundPrefixes: BoundPrefixes): ListFilters {
  const read = filterParameters(items).flatMap(({ name, column, bound }): readonly ReadFilter[] => {
    const filter = { name, as: name, kind: kindOf(items, column) };
    const prefix = bound === null ? undefined : boundPrefixes[bound];
    return prefix === undefined ? [filter] : [{ ...filter, name: `${prefix}${column}` }, filter];
  });
  return { names: read.map(({ name }) => name), read };
}

/** A column that callers cannot send has no parameter, only its type; among texts, only days have ranges. */
function kindOf({ parameters, columns, ranges }: AnyDefinition, column: string): ParameterKind {
  const type = columns[column]?.type ?? 'text';
  return parameters[column]?.kind ?? (type === 'text' && ranges.includes(column) ? 'day' : type);
}

/** A value in a path, as the engine stores it in the column; null: no record can have it. */
export function valueInPath(definition: AnyDefinition, column: string, sent: string): Scalar {
  const kind = kindOf(definition, column);
  const coerced = coerce(kind, sent);
  return coerced.ok ? stored(kind, coerced.value) : null;
}

function stored(kind: ParameterKind, value: unknown): Scalar {
  if (typeof value === 'boolean') return bit(value);
  return kind === 'date' && typeof value === 'string' ? epoch(value) : (value as Scalar);
}

const DEFAULT_SIZE = 25;
const MAX_SIZE = 100;
/** Properties that a request may order by together. */
const MAX_TERMS = 4;
/** Keeps the offset within the integers that every engine represents exactly. */
const MAX_NUMBER = 1_000_000_000;

/** The requested page; what is wrong with it is added to `failures`. The store checks the cursor and column names. */
export function pageOf(listing: ListContext, parameters: Parameters, failures: Failure[]): Page {
  const { parent, list, items, otherPageSize } = listing;
  const reader = new Reader(parameters, failures);
  return {
    parent,
    list,
    number: reader.integer('_page_number', 1, MAX_NUMBER),
    size: reader.integer('_items_per_page', DEFAULT_SIZE, MAX_SIZE, otherPageSize),
    maxBytes: REQUESTS.page,
    orderBy: reader.order('_order_by', items.sortable),
    descending: reader.oneOf('_sort_order', ['asc', 'desc']) === 'desc',
    cursor: reader.text('_cursor'),
    filters: filtersOf(listing.filters, reader),
    ...(isSearched(listing) ? { words: reader.words() } : {}),
  };
}

/** The parameters of a list besides paging and order. */
export function namesOf(listing: Pick<ListContext, 'parent' | 'items' | 'filters'>): readonly string[] {
  const { names } = listing.filters;
  return isSearched(listing) ? [...names, ...SEARCH_PARAMETERS] : names;
}

function isSearched({ parent, items }: Pick<ListContext, 'parent' | 'items'>): boolean {
  return parent === null && items.whole?.search !== undefined;
}

function filtersOf({ read }: ListFilters, reader: Reader): Readonly<Record<string, Scalar>> {
  const filters: Record<string, Scalar> = {};
  for (const { name, as, kind } of read) {
    const value = reader.filter(name, kind);
    if (value !== undefined) filters[as] = value;
  }
  return filters;
}

class Reader {
  constructor(
    private readonly parameters: Parameters,
    private readonly failures: Failure[],
  ) {}

  /** @param other used instead of a number that is out of range; null: that is refused */
  integer(name: string, otherwise: number, max: number, other: number | null = null): number {
    const value = this.value(name, 'integer') ?? otherwise;
    if (typeof value === 'number' && value >= 1 && value <= max) return value;
    if (other !== null && typeof value === 'number') return other;
    return this.refuse(name, `must be between 1 and ${max}.`, otherwise);
  }

  text(name: string): string | null {
    const value = this.value(name, 'text') ?? '';
    return value === '' ? null : (value as string);
  }

  oneOf(name: string, allowed: readonly string[]): string | null {
    const value = this.text(name);
    if (value === null || allowed.includes(value)) return value;
    return this.refuse(
      name,
      allowed.length === 0 ? 'is not supported here.' : `must be one of: ${allowed.join(', ')}.`,
      null,
    );
  }

  /** Terms separated by commas, descending after `-`: a limited number, each with another name. */
  order(name: string, sortable: readonly string[]): string | null {
    const value = this.text(name);
    if (value === null || sortable.length === 0) return this.oneOf(name, sortable);
    const terms = value.split(',').map((term) => term.trim());
    const names = terms.map((term) => orderTerm(term).name);
    if (terms.length === 1 && terms[0] === names[0]) return this.oneOf(name, sortable);
    if (names.some((one) => !sortable.includes(one)))
      return this.refuse(name, `must be one of: ${sortable.join(', ')}; or several, separated by commas.`, null);
    if (new Set(names).size < names.length) return this.refuse(name, 'must name each property once.', null);
    if (names.length > MAX_TERMS) return this.refuse(name, `must name at most ${MAX_TERMS} properties.`, null);
    return terms.join(',');
  }

  /** The words of the search; none for a text without letters and digits. */
  words(): readonly string[] {
    const [name, other] = SEARCH_PARAMETERS;
    const [text, same] = [this.text(name), this.text(other)];
    if (text !== null && same !== null && text !== same) {
      for (const one of SEARCH_PARAMETERS)
        this.refuse(one, `must not differ from ${one === name ? other : name}.`, null);
    }
    const search = text ?? same ?? '';
    const words = search.length > MAX_SEARCH_LENGTH ? [] : searchWords(search);
    if (search.length <= MAX_SEARCH_LENGTH && words.length <= MAX_SEARCH_WORDS) return words;
    return this.refuse(name, `must have at most ${MAX_SEARCH_WORDS} words and ${MAX_SEARCH_LENGTH} characters.`, []);
  }

  /** The column's value as the engine stores it; undefined: not filtered. */
  filter(name: string, kind: ParameterKind): Scalar | undefined {
    const value = this.value(name, kind);
    return value === undefined ? undefined : stored(kind, value);
  }

  private value(name: string, kind: ParameterKind): unknown {
    const sent = this.parameters[name];
    if (sent === undefined) return undefined;
    const coerced = coerce(kind, sent);
    return coerced.ok ? coerced.value : this.refuse(name, coerced.problem, undefined);
  }

  private refuse<T>(name: string, problem: string, otherwise: T): T {
    this.failures.push({ field: name, code: 'invalid', message: `${name} ${problem}` });
    return otherwise;
  }
}
