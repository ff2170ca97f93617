// A part of an API document, for tools that take minutes for the whole document.

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly webhooks?: unknown;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** @returns the document with only these paths, and without the components that nothing in it refers to */
export function partOf<D extends Document>(document: D, paths: readonly string[]): D {
  const part = { ...document, paths: Object.fromEntries(paths.map((path) => [path, document.paths[path]])) };
  const { securitySchemes } = document.components;
  return { ...part, components: { ...referredTo([part.paths, part.webhooks], document), securitySchemes } };
}

/** The components to which a part of the document refers, directly or through others. */
function referredTo(part: unknown, { components }: Document): Record<string, Record<string, unknown>> {
  const referenced: Record<string, Record<string, unknown>> = {};
  const keep = (from: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (referenced[kind]?.[name] !== undefined) continue;
      const component = components[kind]?.[name] ?? {};
      referenced[kind] = { ...referenced[kind], [name]: component };
      keep(component);
    }
  };
  keep(part);
  return referenced;
}
