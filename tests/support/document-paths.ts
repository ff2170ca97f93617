// The paths of a service: those in its API document, and those with old names, which the tags of the document list.

interface DescribedPath<I> {
  readonly tags: readonly { readonly name: string; readonly 'x-old-names'?: readonly string[] }[];
  readonly paths: Readonly<Record<string, I>>;
}

/** Every path with its path item; a path with an old name has the item of the current path. */
export function allPaths<I extends object>({ tags, paths }: DescribedPath<I>): readonly (readonly [string, I])[] {
  const documented = Object.entries(paths);
  const old = tags.flatMap(({ name: type, 'x-old-names': names = [] }) => {
    const below = documented.filter(([path]) => `${path}/`.startsWith(`/api/${type}/`));
    return names.flatMap((name) =>
      below.map(([path, item]) => [path.replace(`/api/${type}`, `/api/${name}`), item] as const),
    );
  });
  return [...documented, ...old];
}
