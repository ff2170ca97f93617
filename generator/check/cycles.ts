// Finds cycles in a graph of names.

interface Edge<P> {
  readonly to: string;
  readonly place: P;
}

export interface Cycle<P> {
  /** The names along the cycle, the first repeated at the end. */
  readonly circle: readonly string[];
  /** Position of the edge that closes it. */
  readonly place: P;
}

/** Every cycle once, starting at its first name in the order of the map. */
export function findCycles<P>(edges: ReadonlyMap<string, readonly Edge<P>[]>): Cycle<P>[] {
  const all: Cycle<P>[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    for (const { to, place } of edges.get(name) ?? []) {
      const back = path.indexOf(to);
      if (back >= 0) all.push({ circle: [...path.slice(back), to], place });
      else if (!done.has(to)) visit(to, [...path, to]);
    }
    done.add(name);
  };
  for (const name of edges.keys()) if (!done.has(name)) visit(name, [name]);
  return all;
}
