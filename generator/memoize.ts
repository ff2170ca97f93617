// Keeps results with the objects that they were made from: unchanged objects stay the same after an edit, so that only results
// of changed ones are computed again. Nothing outlives the objects themselves.

/** Calls `make` again for an object only if one of the other arguments has changed since the last call. */
export function memoizeByObject<K extends object, A extends readonly unknown[], V>(
  make: (key: K, ...others: A) => V,
): (key: K, ...others: A) => V {
  const results = new WeakMap<K, { readonly others: A; readonly value: V }>();
  return (key, ...others) => {
    const last = results.get(key);
    if (last !== undefined && isSame(last.others, others)) return last.value;
    const value = make(key, ...others);
    results.set(key, { others, value });
    return value;
  };
}

/** Whether both lists hold the same objects in the same order. */
export function isSame(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}
