// The error responses of the plain profile (D03, D04) as reusable responses, and the schema of their body.

import type { ErrorName } from '../../model/promises.js';
import { ERRORS, type ErrorRow, TITLES } from './error-table.js';
import { array, component, type Fragment, object, sentences, text } from './fragment.js';

/** @returns the error responses of an operation by status, ascending */
export function errorsByStatus(names: readonly ErrorName[]): Fragment {
  const responses: Record<string, Fragment> = {};
  for (const name of names) responses[ERRORS[name].status] = component('responses', name);
  return responses;
}

/**
 * @param announces headers by which errors, too, announce a deprecation (D38)
 * @returns `components.responses` for every row of D04
 */
export function errorResponses(announces: readonly string[]): Fragment {
  return Object.fromEntries(Object.entries(ERRORS).map(([name, row]) => [name, response(row, announces)]));
}

/** `x-codes` explains the status, one sentence per code: profiles with more statuses split it by code. */
function response(row: ErrorRow, announces: readonly string[]): Fragment {
  const headers = ['X-Request-Id', 'Ignored-Parameters', ...(row.headers ?? []), ...announces];
  return {
    description: sentences(
      row.when,
      `\`code\`: ${clientCodes(row)
        .map((code) => `\`${code}\``)
        .join(', ')}.`,
    ),
    'x-codes': row.codes,
    headers: Object.fromEntries(headers.map((name) => [name, component('headers', name)])),
    content: { 'application/problem+json': { schema: component('schemas', '_problem'), example: example(row) } },
  };
}

/** @returns the values of `code` that clients get */
export function clientCodes({ codes, clientCode }: ErrorRow): readonly string[] {
  return clientCode === undefined ? Object.keys(codes) : [clientCode];
}

function example(row: ErrorRow): Fragment {
  const { status, detail, fields = false } = row;
  const [code] = clientCodes(row);
  const field = code === 'unsupported_file' ? 'image_id' : 'name';
  return {
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail,
    code,
    request_id: '5Zr0m8Qx',
    errors: fields ? [{ field, code, message: detail }] : [],
  };
}

/** @returns the schemas `_problem` (RFC 9457) and `_failure` */
export function errorSchemas(): Fragment {
  const codes = [...new Set(Object.values(ERRORS).flatMap(clientCodes))];
  const code = text('What went wrong, for programs.', { enum: codes });
  return {
    _problem: object(
      { description: 'An error as defined by RFC 9457, with all invalid parameters.' },
      {
        type: text('Always about:blank; use `code` to distinguish errors.', { format: 'uri-reference' }),
        title: text('Reason phrase of the status.'),
        status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        detail: text('What went wrong, for people.'),
        code,
        request_id: text('Id of the request, as in X-Request-Id.'),
        errors: array(component('schemas', '_failure'), 'One entry per failure.'),
      },
      { required: ['type', 'title', 'status', 'detail', 'code', 'errors'] },
    ),
    _failure: object(
      { description: 'What is wrong with one parameter.' },
      {
        field: text('Name of the parameter; after a slash, the position inside it.'),
        code,
        message: text('A sentence for people.'),
      },
    ),
  };
}
