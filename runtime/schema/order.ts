// Sort terms as descriptors, definitions, indexes and requests write them: `-sequence_number` descends. Pure.

import type { Index } from './schema.js';

export interface OrderTerm {
  readonly name: string;
  readonly descending: boolean;
}

/** @param term a name, after `-` if it descends */
export function orderTerm(term: string): OrderTerm {
  return term.startsWith('-') ? { name: term.slice(1), descending: true } : { name: term, descending: false };
}

/** The term with another name, such as the column of a field. */
export function renamedTerm(term: string, rename: (name: string) => string): string {
  const { name, descending } = orderTerm(term);
  return descending ? `-${rename(name)}` : rename(name);
}

/** The columns of an index, each with its direction. */
export function directed({ columns, order = [] }: Index): readonly OrderTerm[] {
  const equal = columns.slice(0, columns.length - order.length);
  return [...equal, ...order].map(orderTerm);
}

/** Words for the name of an index. */
export function directedNames(index: Index): readonly string[] {
  return directed(index).map(({ name, descending }) => (descending ? `${name}_desc` : name));
}
