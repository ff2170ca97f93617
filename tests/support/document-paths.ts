// The paths of an API document. Paths of old names refer to path items that they share; all others have one of their own.

interface Paths<I> {
  readonly paths: Readonly<Record<string, I>>;
  readonly components?: object;
}

/** The paths with a path item of their own. */
export function ownPaths<I extends object>({ paths }: Paths<I>): readonly (readonly [path: string, item: I])[] {
  return Object.entries(paths).filter(([, item]) => !('$ref' in item));
}

/** Every path, with the path item that it has or refers to. */
export function allPaths<I extends object>({ paths, components }: Paths<I>): readonly (readonly [string, I])[] {
  const shared = (components as { readonly pathItems?: Readonly<Record<string, I>> } | undefined)?.pathItems ?? {};
  return Object.entries(paths).flatMap(([path, item]) => {
    const name = '$ref' in item ? String(item.$ref).replace('#/components/pathItems/', '') : null;
    const found = name === null ? item : shared[name];
    return found === undefined ? [] : [[path, found] as const];
  });
}
