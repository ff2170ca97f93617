// The head of the document: what the service is, the rules that all operations share, where it is, its tags and their groups:
// below `user` the records that users own, below `game` its components with their parts.

import { othersIn } from '../../model/find.js';
import type { Model, Resource } from '../../model/model.js';
import { CATALOGUE_TAG } from './catalogue.js';
import { capitalized, type Fragment, sentences, wordsFor } from './fragment.js';
import { accessSentences } from './rights.js';
import { SERVICE_TAGS } from './service.js';

export function info({ title, version, summary, resources }: Model): Fragment {
  const renamed = resources.some(({ oldNames }) => oldNames.length > 0);
  return {
    title,
    version,
    summary,
    description: [`${summary}\n`, ...RULES, ...(renamed ? OLD_NAMES : []), ...PROFILE].join('\n'),
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operators of this service' },
  };
}

/** What applies to all operations. */
const RULES: readonly string[] = [
  '## Parameters',
  '',
  'A request has one set of named parameters, taken from the query string and the body of any method. The body',
  'is a JSON object, a urlencoded form or multipart fields, and takes precedence over the query. A value sent as text is',
  'converted to the type of its parameter; text that does not convert is `invalid`. Unknown parameters are ignored and',
  'listed in the response header `Ignored-Parameters`.',
  '',
  '## Sessions',
  '',
  '`POST /api/session` returns a session id. Send it as `Authorization: Bearer <id>`. The parameter `session_id`, in the',
  'query or the body, also works, but ends up in addresses and logs. Where a session is optional, an expired one is',
  'ignored.',
  '',
  '## Methods',
  '',
  'A client that can only send GET and POST sends `POST` with the header `X-HTTP-Method: PUT` or',
  '`X-HTTP-Method: DELETE`. HEAD is supported wherever GET is.',
  '',
  '## Retries',
  '',
  'Operations that take the header `Idempotency-Key`, 1 to 255 printable characters of your choice, can be sent again',
  'safely: within 24 hours a request with the same key gets the first answer and is not carried out again. Quotes around',
  'the key are ignored. The same key with other parameters is refused with `idempotency_key_reused`. A request that',
  'arrives while the first is in progress may get a conflict, whose `Retry-After` says when to try again.',
  '',
  '## Updates',
  '',
  'Only the parameters that are sent change. Null clears an optional value or restores its default; a required value',
  'cannot be cleared. On create, null is the same as leaving the parameter out. Setting an image to another file resets',
  'its `has_proofed_` flag unless the same request sets it.',
  '',
];

/** They would triple the paths, and say nothing that those of the types do not. */
const OLD_NAMES: readonly string[] = [
  '## Old names',
  '',
  'Some types had other names, which their tags list (`x-old-names`). Each path at or below `/api/<type>` is served at or',
  'below `/api/<old name>` as well, deprecated and not listed here. An old name that is an identity in lower case has',
  'only the records of that identity.',
  '',
];

/** The last section: each profile replaces it with its own. */
const PROFILE: readonly string[] = [
  '## Wire profile',
  '',
  'This document describes the profile `plain`, which a server uses unless it is started with `--wire`. Every server',
  'serves the document of its own profile at `/openapi.json`.',
];

/** The server that serves the document, at any address. */
export const SERVERS: readonly Fragment[] = [{ url: '/' }];

/** @returns a tag per resource, and those tags of the service that are in `used` */
export function tags(model: Model, used: ReadonlySet<string>): readonly Fragment[] {
  const own = model.resources.map((resource) => ({
    name: resource.name,
    'x-displayName': resource.title,
    description: sentences(resource.summary, accessSentences(resource, othersIn(model)), oldNames(resource)),
    ...(resource.oldNames.length === 0 ? {} : { 'x-old-names': resource.oldNames.map(({ name }) => name) }),
  }));
  const service = [
    CATALOGUE_TAG,
    ...SERVICE_TAGS,
    { name: 'Callbacks', description: 'What the service sends to web hooks.' },
  ];
  return [...own, ...service.filter(({ name }) => used.has(String(name)))];
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
