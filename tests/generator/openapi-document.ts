// The API document of this project's own spec, for its tests.
import { join } from 'node:path';
import { type Generation, generate } from '../../generator/generate.js';
import type { Model } from '../../generator/model/model.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { ROOT } from '../support/paths.js';

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly $ref: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly headers?: object }>>;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref?: string; readonly value?: unknown }>>;
}

export type Schema = {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
};

type PathItem = Readonly<Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>>;

export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly tags: readonly { readonly name: string; readonly 'x-old-names'?: readonly string[] }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, { readonly name: string; readonly schema: Schema }>>;
    readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  };
}

/** The text that gen writes for the project's spec, and the model it comes from. */
export function generated(): { readonly text: string; readonly model: Model } {
  const generation = generate(readSpec(join(ROOT, 'spec')), '../runtime/contract/kit.js');
  const text = openApiText(generation);
  if (!generation.ok) throw new Error('there is a text without a model');
  return { text, model: generation.model };
}

/** Throws with the diagnostics of an invalid spec. */
export function openApiText(generation: Generation): string {
  if (!generation.ok) throw new Error(generation.diagnostics.map(({ message }) => message).join('\n'));
  const output = generation.outputs.find(({ path }) => path === 'openapi.json');
  if (output === undefined) throw new Error('gen writes no openapi.json');
  return output.text;
}

export function operationAt({ paths }: OpenApi, method: string, path: string): Operation | undefined {
  return paths[path]?.[method.toLowerCase() as 'get'];
}

export function operations({ paths }: Pick<OpenApi, 'paths'>): readonly Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}
