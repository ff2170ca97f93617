// What is made at first use and then kept, such as a prepared statement.

/** A function that calls `make` once for every key. Keys must be of a finite set: nothing is ever let go. */
export function memoize<K extends string, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}
