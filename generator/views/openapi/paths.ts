// The `paths` section: operations gathered by path and method, those that share both joined, every operationId once.

import type { Model } from '../../model.js';
import type { Fragment } from './fragment.js';
import { aliasOperations, ownOperations } from './operations.js';
import { serviceOperations } from './service.js';

/** @returns `paths`, in the order of resources; other paths and the service's own come last */
export function paths(model: Model): Readonly<Record<string, Readonly<Record<string, Fragment>>>> {
  const placed = [
    ...model.resources.flatMap((resource) => ownOperations(resource, model)),
    ...model.resources.flatMap((resource) => aliasOperations(resource, model)),
    ...serviceOperations(model),
  ];
  const gathered: Record<string, Record<string, Fragment>> = {};
  const taken = new Set<string>();
  for (const { path, method, operation } of placed) {
    const item = gathered[path] ?? {};
    const first = item[method];
    gathered[path] = { ...item, [method]: first ? joined(first, operation) : once(operation, taken) };
  }
  return gathered;
}

/** Names that differ only in where their words part would make the same id; the later gets a number. */
function once(operation: Fragment, taken: Set<string>): Fragment {
  const wanted = String(operation.operationId);
  let operationId = wanted;
  for (let number = 2; taken.has(operationId); number++) operationId = `${wanted}${number}`;
  taken.add(operationId);
  return { ...operation, operationId };
}

/** Two resources at one path and method: whose id it is decides which answers (D32). */
function joined(first: Fragment, other: Fragment): Fragment {
  const [tag] = other.tags as readonly [string];
  return {
    ...first,
    tags: [...(first.tags as readonly string[]), tag],
    summary: `${String(first.summary)}; ${String(other.summary)}`,
    description: `${String(first.description)}\n\nWith the id of a ${tag}: ${String(other.description)}`,
    // Numeric keys come out ascending, whichever resource brought them.
    responses: joinedResponses(first.responses as Fragment, other.responses as Fragment),
  };
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
