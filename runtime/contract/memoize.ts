// Creates values at first use and keeps them, such as prepared statements.

/** A function that calls `make` once for every key. Keys must form a finite set, because nothing is ever released. */
export function memoize<K, V>(make: (key: K) => V): (key: K) => V {
  const values = new Map<K, V>();
  return (key) => {
    const existing = values.get(key);
    if (existing !== undefined) return existing;
    const value = make(key);
    values.set(key, value);
    return value;
  };
}
