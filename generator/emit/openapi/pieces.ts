// The parts of the document: what one resource contributes, the components that are referred to, and the operations by path and
// method: those that share both are merged, and every operationId is unique.

import { memoizeByLookups, type ResourceLookup } from '../../model/find.js';
import type { Resource } from '../../model/model.js';
import { printed } from '../print.js';
import { joinDeprecations } from './deprecations.js';
import type { Fragment, Section } from './fragment.js';
import type { PathOperation } from './operation.js';
import { aliasOperations, ownOperations } from './operations.js';
import { listParameters } from './parameters.js';
import { recordSchemas } from './records.js';
import { allRequestExamples, requestSchemas } from './requests.js';

/** An object of the document as text, with its references: a thousand types have far too many objects to keep them all. */
export interface JsonPiece {
  readonly text: string;
  /** Such as `schemas/boxtop`, without duplicates. */
  readonly refs: readonly string[];
}

export interface Component extends JsonPiece {
  readonly section: Section;
  readonly name: string;
}

export interface OperationPart extends JsonPiece {
  readonly path: string;
  readonly method: string;
  readonly id: string;
  readonly tags: readonly string[];
}

/** Everything that a resource contributes to the document, except its tag. */
export interface Piece {
  readonly own: readonly OperationPart[];
  readonly aliases: readonly OperationPart[];
  readonly components: readonly Component[];
}

/** After an edit, only the pieces of edited resources, and of resources that show parts of them, are created again. */
export const piece = memoizeByLookups(createPiece);

function createPiece(resource: Resource, others: ResourceLookup): Piece {
  const examples = allRequestExamples(resource).map(({ name, summary, value }) => [name, { summary, value }]);
  return {
    own: ownOperations(resource, others).map(operationPart),
    aliases: aliasOperations(resource, others).map(operationPart),
    components: [
      ...componentsOf('schemas', { ...recordSchemas(resource, others), ...requestSchemas(resource, others) }),
      ...componentsOf('parameters', listParameters(resource)),
      ...componentsOf('examples', Object.fromEntries(examples) as Fragment),
    ],
  };
}

export function operationPart({ path, method, operation }: PathOperation): OperationPart {
  const { operationId: id, tags } = operation as { operationId: string; tags: readonly string[] };
  return { path, method, id, tags, ...part(method, operation) };
}

export function componentsOf(section: Section, entries: Fragment): readonly Component[] {
  return Object.entries(entries).map(([name, value]) => ({ section, name, ...part(name, value) }));
}

/** Indentation of operations and components in the document. */
const INDENT = 6;

function part(key: string, value: unknown): JsonPiece {
  const text = printed(value, INDENT, `"${key}": `.length);
  return { text, refs: refsIn(text) };
}

/** Every component that a `$ref` of the text names, once. Inside a string, its quotes would be escaped. */
export function refsIn(text: string): readonly string[] {
  const refs = new Set<string>();
  let start = text.indexOf(REF);
  while (start >= 0) {
    const end = text.indexOf('"', start + REF.length);
    refs.add(text.slice(start + REF.length, end));
    start = text.indexOf(REF, end);
  }
  return [...refs];
}

const REF = '"$ref": "#/components/';

/**
 * @param components if two have the same name, the later one replaces the first
 * @param roots references from outside the components
 * @returns the components that the roots refer to, directly or indirectly, in their order
 */
export function referenced(components: readonly Component[], roots: readonly string[]): readonly Component[] {
  const all = new Map(components.map((one) => [`${one.section}/${one.name}`, one]));
  const used = new Set<string>();
  const waiting = [...roots];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (used.has(next)) continue;
    used.add(next);
    for (const ref of all.get(next)?.refs ?? []) waiting.push(ref);
  }
  return [...all].filter(([name]) => used.has(name)).map(([, one]) => one);
}

/** Operations by path and method. */
export type Paths = ReadonlyMap<string, PathItem>;

/** Operations by method. */
export type PathItem = ReadonlyMap<string, OperationPart>;

/** @param operations in the order of resources; aliases and the service's own paths come last */
export function collectPaths(operations: readonly OperationPart[]): Paths {
  const paths = new Map<string, Map<string, OperationPart>>();
  const taken = new Set<string>();
  for (const operation of operations) {
    const { path, method } = operation;
    const item = paths.get(path) ?? new Map<string, OperationPart>();
    const first = item.get(method);
    paths.set(path, item.set(method, first ? merged(first, operation) : withUniqueId(operation, taken)));
  }
  return paths;
}

/** Names that differ only in how they divide into words would have the same id, so the later one gets a number. */
function withUniqueId(operation: OperationPart, taken: Set<string>): OperationPart {
  let id = operation.id;
  for (let number = 2; taken.has(id); number++) id = `${operation.id}${number}`;
  taken.add(id);
  return id === operation.id ? operation : withOperation(operation, { ...operationOf(operation), operationId: id });
}

function merged(first: OperationPart, other: OperationPart): OperationPart {
  return withOperation(first, joined(operationOf(first), operationOf(other)));
}

function operationOf({ text }: OperationPart): Fragment {
  return JSON.parse(text) as Fragment;
}

function withOperation({ path, method }: OperationPart, operation: Fragment): OperationPart {
  return operationPart({ path, method, operation });
}

/** Two resources at one path and method: the id determines which of them responds (D32). */
function joined(first: Fragment, other: Fragment): Fragment {
  const [tag] = other.tags as readonly [string];
  const { deprecated: _, 'x-sunset': __, ...lasting } = first;
  return {
    ...lasting,
    ...joinDeprecations(first, other),
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
