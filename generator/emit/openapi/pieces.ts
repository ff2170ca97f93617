// The parts of the document that one resource contributes: its operations and components.

import type { Others } from '../../model/find.js';
import { rememberedByLookUps } from '../../model/look-ups.js';
import type { Resource } from '../../model/model.js';
import { printed } from '../print-json.js';
import { allRequestExamples } from './examples.js';
import type { Fragment, Section } from './fragment.js';
import { aliasOperations, ownOperations, type Placed } from './operations.js';
import { listParameters } from './parameters.js';
import { recordSchemas } from './records.js';
import { requestSchemas } from './requests.js';

/** An object of the document as text, with what it refers to: a thousand types have far too many objects to keep them all. */
export interface Part {
  readonly text: string;
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

/** After an edit only the pieces of what was edited, and of what shows something of that, are made again. */
export const piece = rememberedByLookUps(createPiece);

function createPiece(resource: Resource, others: Others): Piece {
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

export function operationPart({ path, method, operation }: Placed): OperationPart {
  const { operationId: id, tags } = operation as { operationId: string; tags: readonly string[] };
  return { path, method, id, tags, ...part(method, operation) };
}

export function componentsOf(section: Section, entries: Fragment): readonly Component[] {
  return Object.entries(entries).map(([name, value]) => ({ section, name, ...part(name, value) }));
}

/** Indentation of operations and components in the document. */
const INDENT = 6;

function part(key: string, value: unknown): Part {
  const text = printed(value, INDENT, `"${key}": `.length);
  return { text, refs: refsIn(text) };
}

/** Every component that a `$ref` of the text names, each once. In a string, its quotes would be escaped. */
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
