// The paths that a service has: those of its API document, and those of old names, which its tags list.

interface DescribedPath<I> {
  readonly tags: readonly { readonly name: string; readonly 'x-old-names'?: readonly string[] }[];
  readonly paths: Readonly<Record<string, I>>;
}

/** Every path with its path item; those of an old name have that of the type. */
export function allPaths<I extends object>({ tags, paths }: DescribedPath<I>): readonly (readonly [string, I])[] {
  const own = Object.entries(paths);
  const old = tags.flatMap(({ name: type, 'x-old-names': names = [] }) => {
    const below = own.filter(([path]) => `${path}/`.startsWith(`/api/${type}/`));
    return names.flatMap((name) =>
      below.map(([path, item]) => [path.replace(`/api/${type}`, `/api/${name}`), item] as const),
    );
  });
  return [...own, ...old];
}
