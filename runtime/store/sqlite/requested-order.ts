// The SQL of an order made up by a request: columns and directions are parameters, so that one statement serves every order with
// that number of terms. The sorted lists are short, and no index would have that order.
import type { AnyDefinition, Scalar } from '../../contract/definition.js';
import { orderTerm } from '../../schema/order.js';
import { literal, quoted } from '../../schema/sql-text.js';
import type { ListOrder } from '../sql/list-order.js';

export interface OrderSql {
  /** Expressions over rows as `t`, whose values a cursor holds. */
  readonly columns: readonly string[];
  readonly sorted: string;
  /** Condition: rows after `@after0`, `@after1`, ... */
  readonly after: string;
}

/** Binds `by0`, `by1`, ... (names of columns) and `falls0`, `falls1`, ... (0 or 1). */
export function requestedOrder({ sortable, order }: AnyDefinition, terms: number): OrderSql {
  const places = Array.from({ length: terms }, (_, at) => at);
  const names = [...new Set([...sortable, ...order.map((term) => orderTerm(term).name), 'id'])];
  const choices = names.map((name) => `WHEN ${literal(name)} THEN t.${quoted(name)}`).join(' ');
  const columns = places.map((at) => `CASE @by${at} ${choices} END`);
  // NULL comes first in ascending and last in descending order.
  const sorted = columns.map((value, at) => `iif(@falls${at}, NULL, ${value}), iif(@falls${at}, ${value}, NULL) DESC`);
  const cases = columns.map((value, at) => {
    const [bound, equal] = [`@after${at}`, columns.slice(0, at).map((before, index) => `${before} IS @after${index}`)];
    const rising = `(${value} > ${bound} OR (${value} IS NOT NULL AND ${bound} IS NULL))`;
    const falling = `(${value} < ${bound} OR (${value} IS NULL AND ${bound} IS NOT NULL))`;
    return `(${[...equal, `iif(@falls${at}, ${falling}, ${rising})`].join(' AND ')})`;
  });
  return { columns, sorted: `ORDER BY ${sorted.join(', ')}`, after: `(${cases.join(' OR ')})` };
}

/** The parameters of that order. */
export function boundOrder({ terms, isOwn }: ListOrder): Readonly<Record<string, Scalar>> {
  if (isOwn) return {};
  return Object.fromEntries(
    terms.flatMap(({ name, descending }, at) => [
      [`by${at}`, name],
      [`falls${at}`, descending ? 1 : 0],
    ]),
  );
}
