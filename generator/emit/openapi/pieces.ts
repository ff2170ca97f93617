// The parts of the document that one resource contributes: its operations and components.

import type { Model, Resource } from '../../model/model.js';
import { allRequestExamples } from './examples.js';
import type { Fragment, Section } from './fragment.js';
import { aliasOperations, ownOperations, type Placed } from './operations.js';
import { listParameters } from './parameters.js';
import { recordSchemas } from './records.js';
import { requestSchemas } from './requests.js';

/** An object of the document, with what it refers to. */
export interface Part {
  readonly value: Fragment;
  /** Such as `schemas/boxtop`, without duplicates. */
  readonly refs: readonly string[];
}

export interface Component extends Part {
  readonly section: Section;
  readonly name: string;
}

export interface OperationPart extends Part {
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

export function piece(resource: Resource, model: Model): Piece {
  const examples = allRequestExamples(resource).map(({ name, summary, value }) => [name, { summary, value }]);
  return {
    own: ownOperations(resource, model).map(operationPart),
    aliases: aliasOperations(resource, model).map(operationPart),
    components: [
      ...componentsOf('schemas', { ...recordSchemas(resource, model), ...requestSchemas(resource, model) }),
      ...componentsOf('parameters', listParameters(resource)),
      ...componentsOf('examples', Object.fromEntries(examples) as Fragment),
    ],
  };
}

export function operationPart({ path, method, operation }: Placed): OperationPart {
  const { operationId: id, tags } = operation as { operationId: string; tags: readonly string[] };
  return { path, method, id, tags, ...part(operation) };
}

export function componentsOf(section: Section, entries: Fragment): readonly Component[] {
  return Object.entries(entries).map(([name, value]) => ({ section, name, ...part(value as Fragment) }));
}

function part(value: Fragment): Part {
  return { value, refs: refsIn(value) };
}

const PREFIX = '#/components/';

/** Every component that a `$ref` names, at any depth, each once. */
export function refsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  collectRefs(value, found);
  return [...found];
}

/** Into one set: a list for each object of the document was the largest part of `gen` with many types. */
function collectRefs(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '$ref' || typeof inner !== 'string') collectRefs(inner, found);
    else if (inner.startsWith(PREFIX)) found.add(inner.slice(PREFIX.length));
  }
}
