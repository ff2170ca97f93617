// The contents of the descriptors as gen writes them for the tests: merged with their conventions, but nothing derived.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsText } from '../../generator/emit/tests.js';
import type {
  FieldConditions,
  RawAction,
  RawCatalogue,
  RawField,
  RawResource,
  ShortIdentity,
} from '../../generator/language/language.js';
import type { Model } from '../../generator/model/model.js';
import { ROOT } from '../support/paths.js';

/** All that the tests of a resource may need to know, including the resources that it refers to. */
export interface ProjectFacts {
  /** Media types of an image field that does not list any. */
  readonly imageTypes: readonly string[];
  /** For each event, the class of the record that it is about, and the resource of that class. */
  readonly events: Readonly<Record<string, { readonly ownerClass: string; readonly owner: string }>>;
  /** Absent: the service has none. */
  readonly catalogue?: CatalogueFacts;
  /** Sorted by name. */
  readonly resources: readonly Facts[];
}

export interface CatalogueFacts extends Pick<RawCatalogue, 'path' | 'of'> {
  readonly attributes: Readonly<Record<string, FieldFacts>>;
}

type Documentation =
  | 'title'
  | 'summary'
  | 'source'
  | 'description'
  | 'example'
  | 'fill'
  | 'was'
  | 'deprecated'
  | 'sunset';

export interface Facts
  extends Omit<RawResource, Documentation | 'extends' | 'fields' | 'access' | 'actions'>,
    ShortIdentity {
  /** Absent: none. */
  readonly extends?: RawResource['extends'];
  /** Of the identities. */
  readonly attributes?: RawField['attributes'];
  readonly fields: Readonly<Record<string, FieldFacts>>;
  /** Clauses by right. */
  readonly access: Readonly<Record<string, NonNullable<ReturnType<RawResource['access']['rights']['get']>>>>;
  readonly hidden?: boolean;
  readonly actions: Readonly<Record<string, ActionFacts>>;
}

export interface ActionFacts extends Pick<RawAction, 'by' | 'sets' | 'copies'> {
  readonly undo?: FieldConditions;
  readonly parameters: Readonly<Record<string, FieldFacts>>;
}

/** A field without its documentation, its history and its deprecation. */
export type FieldFacts = Omit<RawField, Documentation | 'short'>;

/** @param generated output folder of the generator; null: the project's own */
export function readFacts(generated: string | null): ProjectFacts {
  return JSON.parse(readFileSync(placeOf(generated), 'utf8'));
}

/** The facts of a model in memory. */
export function projectFacts(model: Model): ProjectFacts {
  return JSON.parse(factsText(model));
}

export function hasFacts(generated: string | null): boolean {
  return existsSync(placeOf(generated));
}

function placeOf(generated: string | null): string {
  return join(generated ?? join(ROOT, 'generated'), 'tests', 'facts.json');
}
