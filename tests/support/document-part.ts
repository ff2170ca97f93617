// A part of an API document, for tools that take minutes for the whole.

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly webhooks?: unknown;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** @returns the document with these paths alone, and without the components to which nothing left refers */
export function partOf<D extends Document>(document: D, paths: readonly string[]): D {
  const part = { ...document, paths: Object.fromEntries(paths.map((path) => [path, document.paths[path]])) };
  const { securitySchemes } = document.components;
  return { ...part, components: { ...referredTo([part.paths, part.webhooks], document), securitySchemes } };
}

/** The components to which a part of the document refers, and those to which these refer. */
function referredTo(part: unknown, { components }: Document): Record<string, Record<string, unknown>> {
  const kept: Record<string, Record<string, unknown>> = {};
  const keep = (from: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (kept[kind]?.[name] !== undefined) continue;
      const component = components[kind]?.[name] ?? {};
      kept[kind] = { ...kept[kind], [name]: component };
      keep(component);
    }
  };
  keep(part);
  return kept;
}
