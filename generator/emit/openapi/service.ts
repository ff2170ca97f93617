// The operations that do not belong to a resource: sessions, the bytes of uploads, and the endpoints for operators.

import { resourceLookup } from '../../model/find.js';
import type { Model } from '../../model/model.js';
import { FIXED_PROMISES, hasTokens } from '../../model/promises.js';
import { hasHookRoutes } from '../../model/routes.js';
import { component, dateTime, type Fragment, object, text, withNull } from './fragment.js';
import { hookOperations, hookSchemas } from './hook-operations.js';
import { type OperationContent, operation, type PathOperation, promisedParts } from './operation.js';
import { jsonResponse, withLocation } from './responses.js';

/** Tags of these operations; resource names never begin with a capital. */
export const SERVICE_TAGS: readonly Fragment[] = [
  { name: 'Session', description: 'Logging in and out.' },
  { name: 'Files', description: 'The bytes of uploads.' },
  { name: 'Service', description: 'For operators and client programs: health, metrics, this document.' },
];

/** @returns sessions if users can log in, files if there are uploads, controls of web hooks, and the operators' paths */
export function serviceOperations(model: Model): readonly PathOperation[] {
  const { resources } = model;
  const takesTokens = hasTokens(resourceLookup(model));
  return [
    ...(resources.some(({ principal }) => principal) ? SESSION : []),
    ...(resources.some(({ upload }) => upload !== null) ? [FILES] : []),
    ...resources.filter(hasHookRoutes).flatMap((one) => hookOperations(one, takesTokens)),
    ...SERVICE,
  ];
}

/** @returns the schemas of their responses; the document includes only those that are used */
export function serviceSchemas(): Fragment {
  return { _status: STATUS_SCHEMA, _login: LOGIN_SCHEMA, _session: SESSION_SCHEMA, ...hookSchemas() };
}

const LOGIN_EXAMPLE = { username: 'ada', password: 'correct horse' };

const LOGIN_SCHEMA = object(
  { title: 'Session: create' },
  {
    username: text('Name of the user.', { minLength: 1 }),
    password: text('Password of the user.', { minLength: 1, format: 'password' }),
    api_key_id: text('API key of the client program, if it has one.'),
  },
  { required: ['username', 'password'], examples: [LOGIN_EXAMPLE] },
);

const STATUS_SCHEMA = object(
  { title: 'Status' },
  { datetime: dateTime('The current time.') },
  { examples: [{ datetime: '2030-01-31T12:00:00.000Z' }] },
);

const SESSION_EXAMPLE = {
  id: '0aJ4x0pQm7tYw2bR9sVd5kLh',
  object_type: 'session',
  user_id: '0a01kmz3b5wqd7c8r9t2v4x6y8',
  api_key_id: null,
};

const SESSION_SCHEMA = object(
  { title: 'Session', description: 'Expires after seven days without use.' },
  {
    id: text('The value to send as `session_id` or after `Bearer`. It is a secret.'),
    object_type: text('Type of the record.', { const: 'session' }),
    user_id: text('The user that the session belongs to.'),
    api_key_id: withNull(text('The API key that the session was opened with.')),
  },
  { examples: [SESSION_EXAMPLE] },
);

/** @param route method and path */
function fixed(
  route: Exclude<keyof typeof FIXED_PROMISES, 'catalogue' | 'row'>,
  content: OperationContent,
): PathOperation {
  const [method = '', path = ''] = route.split(' ');
  return { path, method: method.toLowerCase(), operation: operation(FIXED_PROMISES[route], content) };
}

const SESSION_RESPONSE = jsonResponse('The session.', component('schemas', '_session'));
const LOGIN_CONTENT = { schema: component('schemas', '_login'), example: LOGIN_EXAMPLE };

/** The session method (D13). */
const SESSION: readonly PathOperation[] = [
  fixed('POST /api/session', {
    tags: ['Session'],
    operationId: 'createSession',
    summary: 'Log in',
    description: 'A wrong user name and a wrong password get the same response.',
    body: {
      required: true,
      content: {
        'application/json': LOGIN_CONTENT,
        'application/x-www-form-urlencoded': LOGIN_CONTENT,
        'multipart/form-data': LOGIN_CONTENT,
      },
    },
    responses: { 201: withLocation(SESSION_RESPONSE) },
  }),
  fixed('GET /api/session/{id}', {
    tags: ['Session'],
    operationId: 'getSession',
    summary: 'Get a session',
    description: 'Anyone who has the id can fetch it.',
    responses: { 200: SESSION_RESPONSE },
  }),
  fixed('DELETE /api/session/{id}', {
    tags: ['Session'],
    operationId: 'deleteSession',
    summary: 'Log out',
    description: 'Ends the session, even if it has already expired.',
    responses: { 200: component('responses', 'success') },
  }),
];

const BYTES = { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } };
const PLAIN_TEXT = { 'text/plain': { schema: { type: 'string' } } };

const OF_BYTES = ['ETag', 'Cache-Control', 'Content-Disposition', 'Accept-Ranges'];

/** A response that is the same in every wire profile, which `x-raw` declares. */
function raw(description: string, content: Fragment | null, ...headers: readonly string[]): Fragment {
  const named = ['X-Request-Id', ...headers].map((name) => [name, component('headers', name)] as const);
  return { description, 'x-raw': true, headers: Object.fromEntries(named), ...(content === null ? {} : { content }) };
}

const KEY = { name: 'key', in: 'path', required: true, description: 'The secret part of the address.' };

/** The bytes behind a description's `file_uri` (D25). */
const FILES = fixed('GET /files/{id}/{key}', {
  tags: ['Files'],
  operationId: 'getFileBytes',
  summary: 'Fetch the bytes of an upload',
  description: 'Anyone who has the address can fetch them. Range and conditional requests are supported.',
  parameters: [component('parameters', 'id'), { ...KEY, schema: { type: 'string' } }],
  responses: {
    200: raw('The bytes, with the media type detected from them.', BYTES, ...OF_BYTES),
    206: raw('The requested range.', BYTES, ...OF_BYTES, 'Content-Range'),
    304: raw('The client already has them.', null, ...OF_BYTES),
    412: raw('A precondition of the request failed.', null, 'ETag', 'Cache-Control', 'Accept-Ranges'),
    416: raw('There is no such range.', null, 'ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Range'),
  },
});

/** For these operations, the document has always said first that they need no session. */
const OPERATORS = { tags: ['Service'], ...promisedParts(FIXED_PROMISES['GET /api/status']) };
const OF_DOCUMENT = ['ETag', 'Vary', 'Cache-Control'];

const SERVICE: readonly PathOperation[] = [
  fixed('GET /api/status', {
    ...OPERATORS,
    operationId: 'getStatus',
    summary: 'Clock of the service',
    description: 'Shows that the service answers, without a session.',
    responses: { 200: jsonResponse('The clock.', component('schemas', '_status')) },
  }),
  fixed('GET /openapi.json', {
    ...OPERATORS,
    operationId: 'getDocument',
    summary: 'This document',
    description: 'In the wire profile of the server; compressed if the client accepts that.',
    responses: {
      200: raw('The document.', { 'application/json': { schema: { type: 'object' } } }, ...OF_DOCUMENT),
      304: raw('The client already has it.', null, ...OF_DOCUMENT),
      412: raw('A precondition of the request failed.', null, ...OF_DOCUMENT),
    },
  }),
  fixed('GET /healthz', {
    ...OPERATORS,
    operationId: 'getHealth',
    summary: 'Liveness check',
    description: 'For process supervisors.',
    responses: { 200: raw('The process is running.', PLAIN_TEXT) },
  }),
  fixed('GET /readyz', {
    ...OPERATORS,
    operationId: 'getReadiness',
    summary: 'Readiness check',
    description: 'For load balancers.',
    responses: { 200: raw('Ready for requests.', PLAIN_TEXT), 503: raw('Starting or stopping.', PLAIN_TEXT) },
  }),
  fixed('GET /metrics', {
    ...OPERATORS,
    operationId: 'getMetrics',
    summary: 'Metrics of the process',
    description:
      'In the Prometheus text format, for clients that send the token of `--metrics-token` as a bearer token. With `--metrics-port` they are served on a separate port instead.',
    responses: { 200: raw('The metrics.', PLAIN_TEXT) },
  }),
];
