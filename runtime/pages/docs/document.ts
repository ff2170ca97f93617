// The part of the API document that the docs pages read, and how they follow its references.

/** The object itself, or a reference to a component. */
export type RefOr<T> = T | { readonly $ref: string };

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly Tag[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Paths;
  /** Requests that the service sends, by event. */
  readonly webhooks?: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Tag {
  readonly name: string;
  readonly 'x-displayName'?: string;
  readonly description?: string;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Any of them suffices; an empty one means that none is needed. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly RefOr<Parameter>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, RefOr<Response>>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: RefOr<Schema>;
  readonly example?: unknown;
}

export interface Media {
  readonly schema?: RefOr<Schema>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, RefOr<{ readonly value: unknown }>>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, RefOr<Schema>>>;
  readonly required?: readonly string[];
  readonly items?: RefOr<Schema>;
  readonly additionalProperties?: RefOr<Schema> | boolean;
  readonly contentSchema?: RefOr<Schema>;
  readonly allOf?: readonly RefOr<Schema>[];
  readonly anyOf?: readonly RefOr<Schema>[];
  readonly oneOf?: readonly RefOr<Schema>[];
  readonly examples?: readonly unknown[];
  readonly [limit: string]: unknown;
}

/** An operation and where it is in the document. */
export interface ListedOperation {
  readonly method: string;
  /** The path; for a request that the service sends, the event. */
  readonly path: string;
  readonly isSent: boolean;
  readonly operation: Operation;
}

export function isReference(part: unknown): part is { readonly $ref: string } {
  return typeof part === 'object' && part !== null && '$ref' in part;
}

/** @returns the object itself, or the component that the reference points to */
export function follow<T>({ components }: ApiDocument, part: RefOr<T>): T {
  if (!isReference(part)) return part;
  const [, , kind = '', name = ''] = part.$ref.split('/');
  return components[kind]?.[name] as T;
}

/** The name of the component that a reference points to. */
export function nameOf({ $ref }: { readonly $ref: string }): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** All operations, in the order of the document. */
export function operationsOf({ paths, webhooks = {} }: ApiDocument): readonly ListedOperation[] {
  const list = (all: Paths, isSent: boolean): readonly ListedOperation[] =>
    Object.entries(all).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        return { method: method.toUpperCase(), path, isSent, operation };
      }),
    );
  return [...list(paths, false), ...list(webhooks, true)];
}
