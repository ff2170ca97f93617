// The operations that do not belong to a resource: sessions, the bytes of uploads, and the endpoints for operators.

import { hasHookRoutes } from '../../model/hook-routes.js';
import type { Model } from '../../model/model.js';
import { FIXED_PROMISES } from '../../model/promises.js';
import { errorsByStatus } from './errors.js';
import { component, type Fragment } from './fragment.js';
import { hookOperations, hookSchemas } from './hook-operations.js';
import type { Placed } from './operations.js';
import { promised } from './parameters.js';
import { jsonResponse, RESPONSE_HEADERS } from './responses.js';

/** Tags of these operations; resource names never begin with a capital. */
export const SERVICE_TAGS: readonly Fragment[] = [
  { name: 'Session', description: 'Logging in and out.' },
  { name: 'Files', description: 'The bytes of uploads.' },
  { name: 'Service', description: 'For operators and client programs: health, metrics, this document.' },
];

/** @returns sessions if users can log in, files if there are uploads, controls of web hooks, and the operators' paths */
export function serviceOperations({ resources }: Model): readonly Placed[] {
  return [
    ...(resources.some(({ principal }) => principal) ? SESSION : []),
    ...(resources.some(({ upload }) => upload !== null) ? [FILES] : []),
    ...resources.filter(hasHookRoutes).flatMap(hookOperations),
    ...SERVICE,
  ];
}

/** @returns what those operations answer; only what is used gets into the document */
export function serviceSchemas(): Fragment {
  return { _status: STATUS_SCHEMA, _login: LOGIN_SCHEMA, _session: SESSION_SCHEMA, ...hookSchemas() };
}

const LOGIN_SCHEMA: Fragment = {
  type: 'object',
  title: 'Session: create',
  required: ['username', 'password'],
  properties: {
    username: { type: 'string', minLength: 1, description: 'Name of the user.' },
    password: { type: 'string', minLength: 1, format: 'password', description: 'Password of the user.' },
    api_key_id: { type: 'string', description: 'API key of the client program, if it has one.' },
  },
  examples: [{ username: 'ada', password: 'correct horse' }],
};

const STATUS_SCHEMA: Fragment = {
  type: 'object',
  title: 'Status',
  required: ['datetime'],
  properties: { datetime: { type: 'string', format: 'date-time', description: 'The present moment.' } },
  examples: [{ datetime: '2030-01-31T12:00:00.000Z' }],
};

const SESSION_SCHEMA: Fragment = {
  type: 'object',
  title: 'Session',
  description: 'Expires after seven days without use.',
  required: ['id', 'object_type', 'user_id', 'api_key_id'],
  properties: {
    id: { type: 'string', description: 'The value to send as `session_id` or after `Bearer`. It is a secret.' },
    object_type: { type: 'string', const: 'session', description: 'Type of the record.' },
    user_id: { type: 'string', description: 'The user that the session belongs to.' },
    api_key_id: { type: ['string', 'null'], description: 'The API key that the session was opened with.' },
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
});
const [LOGIN, SHOWN, LOGOUT] = [
  FIXED_PROMISES['POST /api/session'],
  FIXED_PROMISES['GET /api/session/{id}'],
  FIXED_PROMISES['DELETE /api/session/{id}'],
];
const SESSION_RESPONSE = jsonResponse('The session.', component('schemas', '_session'));
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
      ...session('createSession', 'Log in', 'A wrong user name and a wrong password get the same response.'),
      ...promised(LOGIN),
      requestBody: {
        required: true,
        content: {
          'application/json': LOGIN_CONTENT,
          'application/x-www-form-urlencoded': LOGIN_CONTENT,
          'multipart/form-data': LOGIN_CONTENT,
        },
      },
      responses: {
        201: { ...SESSION_RESPONSE, headers: { ...RESPONSE_HEADERS, Location: component('headers', 'Location') } },
        ...errorsByStatus(LOGIN.errors),
      },
    },
  },
  {
    path: '/api/session/{id}',
    method: 'get',
    operation: {
      ...session('getSession', 'Get a session', 'Available to whoever holds its id.'),
      ...promised(SHOWN),
      responses: { 200: SESSION_RESPONSE, ...errorsByStatus(SHOWN.errors) },
    },
  },
  {
    path: '/api/session/{id}',
    method: 'delete',
    operation: {
      ...session('deleteSession', 'Log out', 'Ends the session, even if it has already expired.'),
      ...promised(LOGOUT),
      responses: { 200: component('responses', 'success'), ...errorsByStatus(LOGOUT.errors) },
    },
  },
];

const BYTES = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } };
const PLAIN_TEXT = { 'text/plain': { schema: { type: 'string' } } };

const OF_BYTES = ['ETag', 'Cache-Control', 'Content-Disposition', 'Accept-Ranges'];

/** A response that is the same in every wire profile, which `x-raw` declares. */
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
    description: 'Available to whoever holds the address. Range and conditional requests are supported.',
    security: [],
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
      200: raw('The bytes, with the media type detected from them.', BYTES, ...OF_BYTES),
      206: raw('The requested range.', BYTES, ...OF_BYTES, 'Content-Range'),
      304: raw('The client already has them.', null, ...OF_BYTES),
      412: raw('A precondition of the request failed.', null, 'ETag', 'Cache-Control', 'Accept-Ranges'),
      416: raw('There is no such range.', null, 'ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Range'),
      ...errorsByStatus(FIXED_PROMISES['GET /files/{id}/{key}'].errors),
    },
  },
};

type ServicePath = '/api/status' | '/openapi.json' | '/healthz' | '/readyz' | '/metrics';

/** @param responses besides the errors */
function service(path: ServicePath, { responses, ...operation }: Fragment): Placed {
  const promises = FIXED_PROMISES[`GET ${path}`];
  const all = { ...(responses as Fragment), ...errorsByStatus(promises.errors) };
  return {
    path,
    method: 'get',
    operation: { tags: ['Service'], ...promised(promises), ...operation, responses: all },
  };
}

const SERVICE: readonly Placed[] = [
  service('/api/status', {
    operationId: 'getStatus',
    summary: 'Clock of the service',
    description: 'Shows that the service answers, without a session.',
    responses: { 200: jsonResponse('The clock.', component('schemas', '_status')) },
  }),
  service('/openapi.json', {
    operationId: 'getDocument',
    summary: 'This document',
    description: 'In the wire profile of the server; compressed if the client accepts that.',
    responses: {
      200: raw(
        'The document.',
        { 'application/json': { schema: { type: 'object' } } },
        'ETag',
        'Vary',
        'Cache-Control',
      ),
      304: raw('The client already has it.', null, 'ETag', 'Vary', 'Cache-Control'),
      412: raw('A precondition of the request failed.', null, 'ETag', 'Vary', 'Cache-Control'),
    },
  }),
  service('/healthz', {
    operationId: 'getHealth',
    summary: 'Liveness check',
    description: 'For process supervisors.',
    responses: { 200: raw('The process is running.', PLAIN_TEXT) },
  }),
  service('/readyz', {
    operationId: 'getReadiness',
    summary: 'Readiness check',
    description: 'For load balancers.',
    responses: {
      200: raw('Ready for requests.', PLAIN_TEXT),
      503: raw('Starting or stopping.', PLAIN_TEXT),
    },
  }),
  service('/metrics', {
    operationId: 'getMetrics',
    summary: 'Metrics of the process',
    description:
      'In the Prometheus text format, for clients that send the token of `--metrics-token` as a bearer token. With `--metrics-port` they are served on a separate port instead.',
    responses: { 200: raw('The metrics.', PLAIN_TEXT) },
  }),
];
