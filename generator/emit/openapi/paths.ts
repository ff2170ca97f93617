// The `paths` section: operations by path and method; those that share both are merged, and every operationId is unique.

import { joinedMarks } from './deprecations.js';
import type { Fragment } from './fragment.js';
import { type OperationPart, operationPart } from './pieces.js';

/** Operations by path and method. */
export type Paths = ReadonlyMap<string, PathItem>;

/** Operations by method. */
export type PathItem = ReadonlyMap<string, OperationPart>;

/** @param operations in the order of resources; aliases and the service's own paths come last */
export function gathered(operations: readonly OperationPart[]): Paths {
  const paths = new Map<string, Map<string, OperationPart>>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { path, method } = operation;
    const item = paths.get(path) ?? new Map<string, OperationPart>();
    const first = item.get(method);
    paths.set(path, item.set(method, first ? both(first, operation) : once(operation, taken)));
  }
  return paths;
}

/** Names that differ only in where their words divide would have the same id, so the later one gets a number. */
function once(operation: OperationPart, taken: Set<string>): OperationPart {
  let id = operation.id;
  for (let number = 2; taken.has(id); number++) id = `${operation.id}${number}`;
  taken.add(id);
  return id === operation.id ? operation : withOperation(operation, { ...operationOf(operation), operationId: id });
}

function both(first: OperationPart, other: OperationPart): OperationPart {
  return withOperation(first, joined(operationOf(first), operationOf(other)));
}

function operationOf({ text }: OperationPart): Fragment {
  return JSON.parse(text) as Fragment;
}

function withOperation({ path, method }: OperationPart, operation: Fragment): OperationPart {
  return operationPart({ path, method, operation });
}

/** Two resources at one path and method: the id determines which one responds (D32). */
function joined(first: Fragment, other: Fragment): Fragment {
  const [tag] = other.tags as readonly [string];
  const { deprecated: _, 'x-sunset': __, ...lasting } = first;
  return {
    ...lasting,
    ...joinedMarks(first, other),
    tags: [...(first.tags as readonly string[]), tag],
    summary: joinedSummary(String(first.summary), String(other.summary)),
    description: `${String(first.description)}\n\n${String(other.summary)}: ${String(other.description)}`,
    // JavaScript sorts numeric keys, so the order of the resources does not matter.
    responses: joinedResponses(first.responses as Fragment, other.responses as Fragment),
  };
}

/** `Delete a designer or a designer associate`. */
function joinedSummary(first: string, other: string): string {
  const [verb, ...rest] = other.split(' ');
  return first.startsWith(`${verb} `) ? `${first} or ${rest.join(' ')}` : `${first}; ${other}`;
}

function joinedResponses(first: Fragment, other: Fragment): Fragment {
  const merged = { ...other, ...first };
  const [mine, others] = [bodyOf(first[200]), bodyOf(other[200])];
  if (!mine || !others || JSON.stringify(mine) === JSON.stringify(others)) return merged;
  const content = { 'application/json': { schema: { anyOf: [mine, others] } } };
  return { ...merged, 200: { ...(first[200] as Fragment), content } };
}

function bodyOf(answer: unknown): unknown {
  const content = (answer as { content?: Record<string, { schema?: unknown }> } | undefined)?.content;
  return content?.['application/json']?.schema;
}
