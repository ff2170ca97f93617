// The head of the document: what the service is, the rules that all operations share, where it is, its tags.

import type { Model } from '../../model/model.js';
import type { Fragment } from './fragment.js';
import { accessSentences } from './rights.js';
import { SERVICE_TAGS } from './service.js';

export function info({ title, version, summary }: Model): Fragment {
  return {
    title,
    version,
    summary,
    description: [`${summary}\n`, ...RULES].join('\n'),
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'The operators of this service' },
  };
}

/** What no single operation could say. */
const RULES: readonly string[] = [
  '## Parameters',
  '',
  'A request has one bag of named parameters, gathered from the query string and from the body, whatever the method:',
  'JSON object, urlencoded form or multipart fields. The body wins over the query. A value sent as text is converted',
  'by the type of its parameter; text that does not convert is `invalid`. Names that nothing here knows are ignored',
  'and named in the answer header `Ignored-Parameters`.',
  '',
  '## Sessions',
  '',
  '`POST /api/session` answers with a session id. Send it as `Authorization: Bearer <id>`, or as the parameter',
  '`session_id` in the query or the body. Where a session is optional, a dead one counts as none.',
  '',
  '## Methods',
  '',
  'A client that can send only GET and POST sends `POST` with the header `X-HTTP-Method: PUT` or',
  '`X-HTTP-Method: DELETE`. HEAD is answered wherever GET is.',
  '',
  '## Updates',
  '',
  'Only what is sent changes. Null clears an optional value or brings its default back; what a record cannot be',
  'without cannot be emptied. On create, null counts as not given. Setting an image to another file resets its',
  '`has_proofed_` flag unless the same request sets it.',
  '',
  // The last section: a profile puts its own in its place.
  '## Wire profile',
  '',
  'This document describes the profile `plain`: what a server started without `--wire` speaks. Every server has the',
  'document of the profile it speaks at `/openapi.json`.',
];

/** The server that the document is read from, whatever its address. */
export const SERVERS: readonly Fragment[] = [{ url: '/' }];

/** @returns a tag per resource, and those of the service that `used` names */
export function tags({ resources }: Model, used: ReadonlySet<string>): readonly Fragment[] {
  const own = resources.map((resource) => ({
    name: resource.name,
    'x-displayName': resource.title,
    description: `${resource.summary} ${accessSentences(resource)}`,
  }));
  const service = [...SERVICE_TAGS, { name: 'Callbacks', description: 'What the service sends to web hooks.' }];
  return [...own, ...service.filter(({ name }) => used.has(String(name)))];
}
