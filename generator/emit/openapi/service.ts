// The operations that belong to no resource: sessions, the bytes of uploads, and what operators ask for.

import type { Model } from '../../model/model.js';
import { ALWAYS } from './error-sets.js';
import { errorAnswers } from './errors.js';
import { component, type Fragment } from './fragment.js';
import type { Placed } from './operations.js';
import { ANSWER_HEADERS, jsonAnswer, SECURITY } from './responses.js';

/** Tags of these operations; resource names never begin with a capital. */
export const SERVICE_TAGS: readonly Fragment[] = [
  { name: 'Session', description: 'Logging in and out.' },
  { name: 'Files', description: 'The bytes of uploads.' },
  { name: 'Service', description: 'For operators and client programs: health, figures, this document.' },
];

/** @returns sessions where somebody can log in, files where something is uploaded, and the operators' paths */
export function serviceOperations({ resources }: Model): readonly Placed[] {
  return [
    ...(resources.some(({ principal }) => principal) ? SESSION : []),
    ...(resources.some(({ upload }) => upload !== null) ? [FILES] : []),
    ...SERVICE,
  ];
}

/** @returns `_login` and `_session`, where somebody can log in */
export function serviceSchemas({ resources }: Model): Fragment {
  return resources.some(({ principal }) => principal) ? { _login: LOGIN_SCHEMA, _session: SESSION_SCHEMA } : {};
}

const LOGIN_SCHEMA: Fragment = {
  type: 'object',
  title: 'Session: create',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', minLength: 1, description: 'Name of the user.' },
    password: { type: 'string', minLength: 1, format: 'password', description: 'Password of the user.' },
    api_key_id: { type: 'string', description: 'Key of the client program, where it has one.' },
  },
  examples: [{ username: 'ada', password: 'correct horse' }],
};

const SESSION_SCHEMA: Fragment = {
  type: 'object',
  title: 'Session',
  description: 'Lasts seven days; use extends it.',
  required: ['id', 'object_type', 'user_id', 'api_key_id'],
  properties: {
    id: { type: 'string', description: 'What to send as `session_id` or behind `Bearer`. A secret.' },
    object_type: { type: 'string', const: 'session', description: 'Type of the record.' },
    user_id: { type: 'string', description: 'The user it speaks for.' },
    api_key_id: { type: ['string', 'null'], description: 'The key it was opened with.' },
  },
  examples: [
    { id: '0aJ4x0pQm7tYw2bR9sVd5kLh', object_type: 'session', user_id: '0a01kmz3b5wqd7c8r9t2v4x6y8', api_key_id: null },
  ],
};

const session = (operationId: string, summary: string, description: string): Fragment => ({
  tags: ['Session'],
  operationId,
  summary,
  description,
  security: SECURITY.none,
});
const BY_ID: Fragment = { parameters: [component('parameters', 'id')] };
const ANSWER = jsonAnswer('The session.', component('schemas', '_session'));
const LOGIN_CONTENT = {
  schema: component('schemas', '_login'),
  example: { username: 'ada', password: 'correct horse' },
};

/** The session method (D13). */
const SESSION: readonly Placed[] = [
  {
    path: '/api/session',
    method: 'post',
    operation: {
      ...session('createSession', 'Log in', 'A wrong name and a wrong password get the same answer.'),
      requestBody: {
        required: true,
        content: {
          'application/json': LOGIN_CONTENT,
          'application/x-www-form-urlencoded': LOGIN_CONTENT,
          'multipart/form-data': LOGIN_CONTENT,
        },
      },
      responses: {
        201: { ...ANSWER, headers: { ...ANSWER_HEADERS, Location: component('headers', 'Location') } },
        ...errorAnswers([...ALWAYS, 'wrong_login', 'method', 'storage_full']),
      },
    },
  },
  {
    path: '/api/session/{id}',
    method: 'get',
    operation: {
      ...session('getSession', 'Look at a session', 'For whoever holds its id.'),
      ...BY_ID,
      responses: { 200: ANSWER, ...errorAnswers([...ALWAYS, 'login_required']) },
    },
  },
  {
    path: '/api/session/{id}',
    method: 'delete',
    operation: {
      ...session('deleteSession', 'Log out', 'Ends the session, also when it is over already.'),
      ...BY_ID,
      responses: { 200: component('responses', 'success'), ...errorAnswers([...ALWAYS, 'storage_full']) },
    },
  },
];

const BYTES = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } };
const PLAIN_TEXT = { 'text/plain': { schema: { type: 'string' } } };

const OF_BYTES = ['ETag', 'Cache-Control', 'Content-Disposition', 'Accept-Ranges'];

/** An answer that no profile shapes, which `x-raw` says. */
function raw(description: string, content: Fragment | null, ...headers: readonly string[]): Fragment {
  const named = ['X-Request-Id', ...headers].map((name) => [name, component('headers', name)] as const);
  return { description, 'x-raw': true, headers: Object.fromEntries(named), ...(content === null ? {} : { content }) };
}

/** The bytes behind a description's `file_uri` (D25). */
const FILES: Placed = {
  path: '/files/{id}/{key}',
  method: 'get',
  operation: {
    tags: ['Files'],
    operationId: 'getFileBytes',
    summary: 'Fetch the bytes of an upload',
    description: 'For whoever holds the address. Ranges and conditional requests are answered.',
    security: SECURITY.none,
    parameters: [
      component('parameters', 'id'),
      {
        name: 'key',
        in: 'path',
        required: true,
        description: 'The secret part of the address.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: raw('The bytes, under the media type read from them.', BYTES, ...OF_BYTES),
      206: raw('The range asked for.', BYTES, ...OF_BYTES, 'Content-Range'),
      304: raw('The client has them already.', null, ...OF_BYTES),
      412: raw('A condition of the request does not hold.', null, 'ETag', 'Cache-Control', 'Accept-Ranges'),
      416: raw('There is no such range.', null, 'ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Range'),
      ...errorAnswers(['malformed', 'not_found', 'method', 'rate_limited', 'internal', 'unavailable']),
    },
  },
};

const service = (path: string, operation: Fragment): Placed => ({
  path,
  method: 'get',
  operation: { tags: ['Service'], security: SECURITY.none, ...operation },
});

/** What every other method is told at these paths. */
const METHOD = errorAnswers(['method']);

const SERVICE: readonly Placed[] = [
  service('/openapi.json', {
    operationId: 'getDocument',
    summary: 'This document',
    description: 'In the wire profile that the server speaks; compressed as the client takes it.',
    responses: {
      200: raw(
        'The document.',
        { 'application/json': { schema: { type: 'object' } } },
        'ETag',
        'Vary',
        'Cache-Control',
      ),
      304: raw('The client has it already.', null, 'ETag', 'Vary', 'Cache-Control'),
      412: raw('A condition of the request does not hold.', null, 'ETag', 'Vary', 'Cache-Control'),
      ...errorAnswers(['method', 'rate_limited', 'unavailable']),
    },
  }),
  service('/healthz', {
    operationId: 'getHealth',
    summary: 'Whether the process answers',
    description: 'For whoever restarts it.',
    responses: { 200: raw('It does.', PLAIN_TEXT), ...METHOD },
  }),
  service('/readyz', {
    operationId: 'getReadiness',
    summary: 'Whether requests should be sent here',
    description: 'For whoever spreads the load.',
    responses: {
      200: raw('They should.', PLAIN_TEXT),
      503: raw('Not while starting and stopping.', PLAIN_TEXT),
      ...METHOD,
    },
  }),
  service('/metrics', {
    operationId: 'getMetrics',
    summary: 'Figures of the process',
    description:
      'In the text format of Prometheus, for whoever sends the token of `--metrics-token` as a bearer token. They may have a port of their own instead: `--metrics-port`.',
    responses: { 200: raw('The figures.', PLAIN_TEXT), ...errorAnswers(['not_found', 'method']) },
  }),
];
