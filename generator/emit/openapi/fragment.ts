// The type of every piece of the document, and references between pieces.

/** A piece of the OpenAPI document: plain JSON. */
export type Fragment = { readonly [key: string]: unknown };

export type Section = 'schemas' | 'parameters' | 'responses' | 'headers' | 'examples';

/** `{$ref}` to a component; resource and field names need no escaping in a pointer. */
export function component(section: Section, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${section}/${name}` };
}

/** Sentences joined with a space; empty ones left out. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
