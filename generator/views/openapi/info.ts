// The head of the document: what the service is, the rules that all operations share, where it is, its tags.

import type { Model } from '../../model.js';
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
  '## Wire profiles',
  '',
  'This document describes the profile `plain`. A service started with the profile `wing` answers otherwise: a success',
  'is always status 200 with the body `{"result": ...}` around what stands here; an error is',
  '`{"error": {"code", "message", "data"}}` with the first failure only, its status the same as its code: 440',
  'reference not found, 441 required, 442 invalid, 443 not unique, 444 unsupported file, 450 forbidden,',
  '452 rate limited, 454 wrong password (440 for an unknown user), else as here; dates are `YYYY-MM-DD HH:MM:SS` in',
  'UTC and booleans are 0 or 1.',
];

/** Relative to nothing: the address is the operators' choice. */
export const SERVERS: readonly Fragment[] = [
  {
    url: '{base_url}',
    description: 'Where the service listens.',
    variables: {
      base_url: { default: 'http://127.0.0.1:3000', description: 'Scheme, host and port, without a slash at the end.' },
    },
  },
];

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
