// Leaves out components that nothing refers to: a service without lists needs no paging.

import type { Component } from './pieces.js';

/**
 * @param components if two have the same name, the later one takes the place of the first
 * @param roots what the document refers to outside the components
 * @returns the components that the roots refer to, directly or through others, in their order
 */
export function referenced(components: readonly Component[], roots: readonly string[]): readonly Component[] {
  const all = new Map(components.map((one) => [`${one.section}/${one.name}`, one]));
  const used = new Set<string>();
  const waiting = [...roots];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (used.has(next)) continue;
    used.add(next);
    for (const ref of all.get(next)?.refs ?? []) waiting.push(ref);
  }
  return [...all].filter(([name]) => used.has(name)).map(([, one]) => one);
}
