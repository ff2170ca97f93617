// The error answers of the plain profile (D03, D04) as reusable responses, and the schema of their body.

import { component, type Fragment, sentences } from './fragment.js';

/** Names of the reusable error responses: the code that stands for all codes of its status. */
export type ErrorName =
  | 'malformed'
  | 'login_required'
  | 'forbidden'
  | 'not_found'
  | 'method'
  | 'conflict'
  | 'too_large'
  | 'unsupported_file'
  | 'invalid'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'storage_full';

interface Row {
  readonly status: number;
  readonly title: string;
  /** Values of `code` under this status. */
  readonly codes: readonly string[];
  readonly when: string;
  readonly detail: string;
  readonly headers: readonly string[];
  /** True: `errors` names parameters. */
  readonly fields: boolean;
}

const NONE = { headers: [], fields: false } as const;

/** D04, one row per status. */
const ERRORS: Readonly<Record<ErrorName, Row>> = {
  malformed: {
    ...NONE,
    status: 400,
    title: 'Bad Request',
    codes: ['malformed'],
    when: 'The request cannot be read: broken JSON, encoding or multipart, or a content type that is not offered.',
    detail: 'The body is not JSON.',
  },
  login_required: {
    status: 401,
    title: 'Unauthorized',
    codes: ['login_required'],
    when: 'A live session is required, or the user name or password is wrong.',
    detail: 'A session is required.',
    headers: ['WWW-Authenticate'],
    fields: false,
  },
  forbidden: {
    ...NONE,
    status: 403,
    title: 'Forbidden',
    codes: ['forbidden'],
    when: 'The session does not have the right, on the record or on one that a parameter refers to.',
    detail: 'This session does not have the right.',
  },
  not_found: {
    ...NONE,
    status: 404,
    title: 'Not Found',
    codes: ['not_found'],
    when: 'There is no such record.',
    detail: 'Not found.',
  },
  method: {
    ...NONE,
    status: 405,
    title: 'Method Not Allowed',
    codes: ['method'],
    when: 'The method, or the one named in X-HTTP-Method, is not offered at this path.',
    detail: 'PUT is not offered here; POST is.',
    headers: ['Allow'],
  },
  conflict: {
    ...NONE,
    status: 409,
    title: 'Conflict',
    codes: ['conflict', 'not_unique'],
    when: 'The state of other records forbids it: a value is taken, a record is in use, or its owner is another.',
    detail: 'The record is in use.',
  },
  too_large: {
    ...NONE,
    status: 413,
    title: 'Payload Too Large',
    codes: ['too_large'],
    when: 'The body or the file is larger than the service takes.',
    detail: 'The body must not be larger than 1048576 bytes.',
  },
  unsupported_file: {
    status: 415,
    title: 'Unsupported Media Type',
    codes: ['unsupported_file'],
    when: 'The file is not of an accepted type.',
    detail: 'The file is not of an accepted type.',
    headers: [],
    fields: true,
  },
  invalid: {
    status: 422,
    title: 'Unprocessable Entity',
    codes: ['required', 'invalid', 'reference_not_found'],
    when: 'Parameters are missing, outside their limits, or refer to nothing; `errors` names all of them at once.',
    detail: 'name is required.',
    headers: [],
    fields: true,
  },
  rate_limited: {
    ...NONE,
    status: 429,
    title: 'Too Many Requests',
    codes: ['rate_limited'],
    when: 'This session or address has made too many requests in the last minute.',
    detail: 'Only 1200 requests a minute are answered.',
    headers: ['Retry-After'],
  },
  internal: {
    ...NONE,
    status: 500,
    title: 'Internal Server Error',
    codes: ['internal'],
    when: 'The service failed; the request id finds the reason in its log.',
    detail: 'The service failed to answer; the request id finds it in the log.',
  },
  unavailable: {
    ...NONE,
    status: 503,
    title: 'Service Unavailable',
    codes: ['unavailable'],
    when: 'The service is busy or stopping; the request may be sent again.',
    detail: 'The service is busy.',
    headers: ['Retry-After'],
  },
  storage_full: {
    ...NONE,
    status: 507,
    title: 'Insufficient Storage',
    codes: ['storage_full'],
    when: 'There is no room left to store anything.',
    detail: 'The disk is full.',
  },
};

/** @returns the error answers of an operation by status, ascending */
export function errorAnswers(names: readonly ErrorName[]): Fragment {
  const sorted = [...new Set(names)].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
  return Object.fromEntries(sorted.map((name) => [String(ERRORS[name].status), component('responses', name)]));
}

/** @returns `components.responses` for every row of D04 */
export function errorResponses(): Fragment {
  return Object.fromEntries(Object.entries(ERRORS).map(([name, row]) => [name, response(row)]));
}

function response(row: Row): Fragment {
  const headers = ['X-Request-Id', ...row.headers];
  return {
    description: sentences(row.when, `\`code\`: ${row.codes.map((code) => `\`${code}\``).join(', ')}.`),
    headers: Object.fromEntries(headers.map((name) => [name, component('headers', name)])),
    content: { 'application/problem+json': { schema: component('schemas', '_problem'), example: example(row) } },
  };
}

function example({ status, title, codes, detail, fields }: Row): Fragment {
  const [code] = codes;
  const field = code === 'unsupported_file' ? 'image_id' : 'name';
  return {
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    request_id: '5Zr0m8Qx',
    errors: fields ? [{ field, code, message: detail }] : [],
  };
}

/** @returns the schemas `_problem` (RFC 9457) and `_failure` */
export function errorSchemas(): Fragment {
  const codes = Object.values(ERRORS).flatMap((row) => row.codes);
  const code = { type: 'string', enum: codes, description: 'What went wrong, for programs.' };
  return {
    _problem: {
      type: 'object',
      description: 'An error as RFC 9457 writes it, with all failing parameters at once.',
      required: ['type', 'title', 'status', 'detail', 'code', 'errors'],
      properties: {
        type: { type: 'string', format: 'uri-reference', description: 'Always about:blank; `code` tells kinds apart.' },
        title: { type: 'string', description: 'Phrase of the status.' },
        status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        detail: { type: 'string', description: 'What went wrong, for people.' },
        code,
        request_id: { type: 'string', description: 'Id of the request, as in X-Request-Id.' },
        errors: { type: 'array', items: component('schemas', '_failure'), description: 'One entry per failure.' },
      },
    },
    _failure: {
      type: 'object',
      description: 'What is wrong with one parameter.',
      required: ['field', 'code', 'message'],
      properties: {
        field: { type: 'string', description: 'Name of the parameter; behind a slash, the place inside it.' },
        code,
        message: { type: 'string', description: 'A sentence for people.' },
      },
    },
  };
}
