// The targets of ids in examples of the API document, read from its texts, and an order in which records can be created.

export interface References {
  /** Resources, ordered so that targets of references come first. */
  readonly order: readonly string[];
  /** The resource that a parameter refers to, by `card.deck_id`; for a file that is not a PNG, its media type. */
  readonly targets: Readonly<Record<string, string>>;
}

interface Document {
  readonly tags: readonly { readonly name: string; readonly 'x-displayName'?: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema | undefined>> };
}
interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

export function referencesOf({ tags, components }: Document): References {
  const titles = new Map(tags.map((tag) => [tag['x-displayName']?.toLowerCase() ?? tag.name, tag.name]));
  const resources = tags.filter((tag) => 'x-displayName' in tag).map(({ name }) => name);
  const targets = resources.flatMap((resource) => {
    const properties = Object.entries(components.schemas[`${resource}_create`]?.properties ?? {});
    return properties.flatMap(([name, { description = '' }]) => {
      const title = /Id of an? ([^.]+?)(?: that [^.]*)?\./.exec(description)?.[1]?.toLowerCase() ?? '';
      const target = titles.get(title) ?? BY_NAME[name];
      return target === undefined ? [] : [[`${resource}.${name}`, fileOf(description) ?? target] as const];
    });
  });
  return { order: ordered(resources, targets), targets: Object.fromEntries(targets) };
}

/** References whose target depends on another parameter, the owner class. */
const BY_NAME: Readonly<Record<string, string>> = { owner_id: 'designer' };

/** The first media type, unless it is PNG, which most images accept. */
function fileOf(description: string): string | undefined {
  const types = /Accepted file types: ([^.]*)\./.exec(description)?.[1]?.split(', ') ?? [];
  return types.includes('image/png') ? undefined : types[0];
}

function ordered(resources: readonly string[], targets: readonly (readonly [string, string])[]): readonly string[] {
  const done = new Set<string>();
  const visit = (resource: string): void => {
    if (done.has(resource) || !resources.includes(resource)) return;
    done.add(resource);
    const ofResource = targets.filter(([name]) => name.startsWith(`${resource}.`));
    for (const [, target] of ofResource) visit(target);
    // Moves the resource behind the resources that it refers to.
    done.delete(resource);
    done.add(resource);
  };
  for (const resource of resources) visit(resource);
  return [...done];
}

/** The smallest PDF that a detector recognizes. */
export const PDF = '%PDF-1.4\n%%EOF\n';
