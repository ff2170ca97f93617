// Generator output that several specs share, rendered once.

import type { Remember } from '../../generator/emit/validators.js';

/** A memory for `generate` that forgets nothing. */
export function createMemory(): Remember {
  const texts = new Map<string, string>();
  return (key, make) => {
    const text = texts.get(key) ?? make();
    texts.set(key, text);
    return text;
  };
}
