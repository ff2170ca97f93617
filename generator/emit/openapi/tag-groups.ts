// Groups of tags for documentation: below `user` whatever users own, below `game` its components with their parts.

import { othersIn } from '../../model/find.js';
import type { Model } from '../../model/model.js';
import type { Fragment } from './fragment.js';
import { capitalized, wordsFor } from './words.js';

/**
 * @param others tags that belong to no resource
 * @returns every tag in exactly one group, a group for each head of a tree of records
 */
export function tagGroups(model: Model, others: readonly string[]): readonly Fragment[] {
  const heads = headsOf(model);
  const groups = [...new Set(heads.values())].map((head) => {
    const names = [...heads.keys()].filter((name) => name !== head && heads.get(name) === head);
    return { name: capitalized(wordsFor(othersIn(model), head).many), tags: [head, ...names] };
  });
  const single = groups.filter(({ tags }) => tags.length === 1).flatMap(({ tags }) => tags);
  return [
    ...groups.filter(({ tags }) => tags.length > 1),
    ...(single.length === 0 ? [] : [{ name: 'Other records', tags: single }]),
    ...(others.length === 0 ? [] : [{ name: 'Service', tags: others }]),
  ];
}

/** For each resource the nearest record above it, or itself, whose parts have parts; else the one at the top. */
function headsOf({ resources }: Model): ReadonlyMap<string, string> {
  const parents = new Map(
    resources.flatMap(({ name, references }) => {
      const parent = references.find(({ place, to }) => place && to !== name);
      return parent === undefined ? [] : [[name, parent.to] as const];
    }),
  );
  const wholes = new Set(parents.values());
  const heads = new Set([...wholes].flatMap((name) => parents.get(name) ?? []));
  const headOf = (name: string): string => {
    const parent = parents.get(name);
    return parent === undefined || heads.has(name) ? name : headOf(parent);
  };
  return new Map(resources.map(({ name }) => [name, headOf(name)]));
}
