// The head of the document: what the service is, its chapters, its address, its tags and their groups: below `user` the records
// that users own, below `game` its components with their parts.

import { resourceLookup } from '../../model/find.js';
import type { Model, Resource } from '../../model/model.js';
import { CATALOGUE_TAG } from './catalogue.js';
import { chapters } from './chapters.js';
import { capitalized, type Fragment, nounsFor, sentences } from './fragment.js';
import { accessSentences } from './rights.js';
import { SERVICE_TAGS } from './service.js';

export function info(model: Model): Fragment {
  const { title, version, summary } = model;
  return {
    title,
    version,
    summary,
    description: `${summary}\n\n${chapters(model)}`,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operators of this service' },
  };
}

/** The server that serves the document, at any address. */
export const SERVERS: readonly Fragment[] = [{ url: '/' }];

/** @returns a tag per resource, and the service's own tags that are in `used` */
export function tags(model: Model, used: ReadonlySet<string>): readonly Fragment[] {
  const ofResources = model.resources.map((resource) => ({
    name: resource.name,
    'x-displayName': resource.title,
    description: sentences(resource.summary, accessSentences(resource, resourceLookup(model)), oldNames(resource)),
    ...(resource.oldNames.length === 0 ? {} : { 'x-old-names': resource.oldNames.map(({ name }) => name) }),
  }));
  const service = [
    CATALOGUE_TAG,
    ...SERVICE_TAGS,
    { name: 'Callbacks', description: 'What the service sends to web hooks.' },
  ];
  return [...ofResources, ...service.filter(({ name }) => used.has(String(name)))];
}

function oldNames(resource: Resource): string {
  const names = resource.oldNames.map(({ name }) => `\`${name}\``);
  return names.length === 0 ? '' : `Old names: ${names.join(', ')}.`;
}

/**
 * @param others tags that belong to no resource
 * @returns every tag in exactly one group, a group for each head of a tree of records
 */
export function tagGroups(model: Model, others: readonly string[]): readonly Fragment[] {
  const heads = headsOf(model);
  const groups = [...new Set(heads.values())].map((head) => {
    const names = [...heads.keys()].filter((name) => name !== head && heads.get(name) === head);
    return { name: capitalized(nounsFor(resourceLookup(model), head).many), tags: [head, ...names] };
  });
  const single = groups.filter(({ tags }) => tags.length === 1).flatMap(({ tags }) => tags);
  return [
    ...groups.filter(({ tags }) => tags.length > 1),
    ...(single.length === 0 ? [] : [{ name: 'Other records', tags: single }]),
    ...(others.length === 0 ? [] : [{ name: 'Service', tags: others }]),
  ];
}

/** For each resource, the nearest record at or above it whose parts have parts, or else the topmost record. */
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
