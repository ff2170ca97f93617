// The errors of the service (D04): one row per status of the profile plain, as the document describes it.

import type { ErrorName } from '../../model/promises.js';

export interface ErrorRow {
  readonly status: number;
  readonly title: string;
  /** The codes of the service that have this status, each with its meaning. */
  readonly codes: Readonly<Record<string, string>>;
  /** The single value of `code` that clients get for all of them; by default each code is sent as it is (D13). */
  readonly saidAs?: string;
  readonly when: string;
  readonly detail: string;
  readonly headers: readonly string[];
  /** True: `errors` lists parameters. */
  readonly fields: boolean;
}

const NONE = { headers: [], fields: false } as const;

const INVALID = {
  required: 'A required parameter is missing.',
  invalid: 'A parameter is outside its limits.',
  reference_not_found: 'A parameter refers to nothing.',
} as const;

const UNREAD = { unsupported_media_type: 'The body is of a type that the service does not read.' } as const;

/** D04, one row per status, or two where some operations have only some of its codes. */
export const ERRORS: Readonly<Record<ErrorName, ErrorRow>> = {
  malformed: {
    ...NONE,
    status: 400,
    title: 'Bad Request',
    codes: { malformed: 'The request cannot be read.' },
    when: 'The request cannot be read: broken JSON, encoding or multipart.',
    detail: 'The body is not JSON.',
  },
  login_required: {
    status: 401,
    title: 'Unauthorized',
    codes: { login_required: 'A live session is required.' },
    when: 'A valid session is required.',
    detail: 'A session is required.',
    headers: ['WWW-Authenticate'],
    fields: false,
  },
  wrong_login: {
    status: 401,
    title: 'Unauthorized',
    codes: { wrong_password: 'The password is wrong.', unknown_user: 'There is no user of that name.' },
    saidAs: 'login_required',
    when: 'The user name or the password is wrong.',
    detail: 'The user name or the password is wrong.',
    headers: ['WWW-Authenticate'],
    fields: false,
  },
  forbidden: {
    ...NONE,
    status: 403,
    title: 'Forbidden',
    codes: { forbidden: 'The session does not have the right.' },
    when: 'The session does not have permission for the record, or for one that a parameter refers to.',
    detail: 'This session does not have permission.',
  },
  not_found: {
    ...NONE,
    status: 404,
    title: 'Not Found',
    codes: { not_found: 'There is no such record.' },
    when: 'There is no such record.',
    detail: 'Not found.',
  },
  method: {
    ...NONE,
    status: 405,
    title: 'Method Not Allowed',
    codes: { method: 'The method is not offered at this path.' },
    when: 'The method, or the one named in X-HTTP-Method, is not supported at this path.',
    detail: 'PUT is not supported here; use POST.',
    headers: ['Allow'],
  },
  conflict: {
    ...NONE,
    status: 409,
    title: 'Conflict',
    codes: {
      conflict: 'A record is in use, or its owner is another.',
      not_unique: 'A value is taken.',
    },
    when: 'Other records prevent it: a value is already taken, a record is in use, or it has another owner.',
    detail: 'The record is in use.',
  },
  conflict_with_key: {
    ...NONE,
    status: 409,
    title: 'Conflict',
    codes: {
      conflict: 'A record is in use, its owner is another, or a request with the same key is under way.',
      not_unique: 'A value is taken.',
    },
    when: 'Other records prevent it, or a request with the same `Idempotency-Key` is under way: then there is a `Retry-After`.',
    detail: 'A request with this Idempotency-Key is under way.',
    headers: ['Retry-After'],
  },
  too_large: {
    ...NONE,
    status: 413,
    title: 'Payload Too Large',
    codes: { too_large: 'The body or the file is larger than the service takes.' },
    when: 'The body or the file is larger than the service accepts.',
    detail: 'The body must not be larger than 1048576 bytes.',
  },
  unsupported_file: {
    status: 415,
    title: 'Unsupported Media Type',
    codes: { unsupported_file: 'The file is not of an accepted type.', ...UNREAD },
    when: 'The file is not of an accepted type, or the body is of a type that the service does not read.',
    detail: 'The file is not of an accepted type.',
    headers: ['Accept-Post'],
    fields: true,
  },
  unsupported_media_type: {
    ...NONE,
    status: 415,
    title: 'Unsupported Media Type',
    codes: UNREAD,
    when: 'The body is of a type that the service does not read.',
    detail:
      'The body must have one of these content types: application/json, application/x-www-form-urlencoded, multipart/form-data.',
    headers: ['Accept-Post'],
  },
  invalid: {
    status: 422,
    title: 'Unprocessable Entity',
    codes: INVALID,
    when: 'Parameters are missing, outside their limits, or refer to records that do not exist; `errors` lists all of them.',
    detail: 'name is required.',
    headers: [],
    fields: true,
  },
  invalid_with_key: {
    status: 422,
    title: 'Unprocessable Entity',
    codes: { ...INVALID, idempotency_key_reused: 'The key was used for another request.' },
    when: 'Parameters are missing, outside their limits, or refer to records that do not exist, all of which `errors` lists; or the `Idempotency-Key` was used for another request.',
    detail: 'name is required.',
    headers: [],
    fields: true,
  },
  rate_limited: {
    ...NONE,
    status: 429,
    title: 'Too Many Requests',
    codes: { rate_limited: 'This user or address has made too many requests.' },
    when: 'This user or address has made too many requests in the last minute. A copy or a bulk create counts as one for each 10 records, an upload as one for each MiB, a login or a change of password as 10.',
    detail: 'Only 1200 requests a minute are allowed.',
    headers: ['Retry-After'],
  },
  internal: {
    ...NONE,
    status: 500,
    title: 'Internal Server Error',
    codes: { internal: 'The service failed.' },
    when: 'The service failed; the request id identifies the reason in its log.',
    detail: 'The service failed to respond; the request id identifies the reason in its log.',
  },
  unavailable: {
    ...NONE,
    status: 503,
    title: 'Service Unavailable',
    codes: { unavailable: 'The service is busy or stopping.' },
    when: 'The service is busy or stopping; send the request again later.',
    detail: 'The service is busy.',
    headers: ['Retry-After'],
  },
  storage_full: {
    ...NONE,
    status: 507,
    title: 'Insufficient Storage',
    codes: { storage_full: 'There is no room left to store anything.' },
    when: 'There is no space left to store anything.',
    detail: 'The disk is full.',
  },
};
