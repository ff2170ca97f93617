// The errors of the service (D04): one row per status of the profile plain, as the document describes it.

import type { ErrorName } from '../../model/promises.js';

export interface ErrorRow {
  readonly status: number;
  /** The codes of the service that have this status, each with its meaning. */
  readonly codes: Readonly<Record<string, string>>;
  /** The value of `code` that clients get for all of them; by default each code is sent as it is (D13). */
  readonly clientCode?: string;
  readonly when: string;
  readonly detail: string;
  /** None by default. */
  readonly headers?: readonly string[];
  /** If true, `errors` lists parameters. */
  readonly fields?: true;
}

const INVALID = {
  required: 'A required parameter is missing.',
  invalid: 'A parameter is outside its limits.',
  reference_not_found: 'A parameter refers to a record that does not exist.',
} as const;

const NARROW = { insufficient_scope: 'The token of an API key does not reach that far.' } as const;

const UNREAD = { unsupported_media_type: 'The body is of a type that the service does not read.' } as const;

/** D04: one row per status, or two if some operations have only some of its codes. */
export const ERRORS: Readonly<Record<ErrorName, ErrorRow>> = {
  malformed: {
    status: 400,
    codes: { malformed: 'The request cannot be read.' },
    when: 'The request cannot be read: broken JSON, encoding or multipart.',
    detail: 'The body is not JSON.',
  },
  login_required: {
    status: 401,
    codes: {
      login_required: 'A live session is required.',
      invalid_token: 'The token of an API key is unknown, expired or revoked.',
    },
    when: 'A valid session is required, or the token of an API key is of no use.',
    detail: 'A session is required.',
    headers: ['WWW-Authenticate'],
  },
  wrong_login: {
    status: 401,
    codes: { wrong_password: 'The password is wrong.', unknown_user: 'There is no user of that name.' },
    clientCode: 'login_required',
    when: 'The user name or the password is wrong.',
    detail: 'The user name or the password is wrong.',
    headers: ['WWW-Authenticate'],
  },
  forbidden: {
    status: 403,
    codes: { forbidden: 'The session does not have the right.', ...NARROW },
    when: 'The session does not have permission for the record, or for one that a parameter refers to.',
    detail: 'This session does not have permission.',
  },
  forbidden_with_quota: {
    status: 403,
    codes: {
      forbidden: 'The session does not have the right.',
      ...NARROW,
      quota_exceeded: 'The files of the user take up all the space that they may.',
    },
    when: 'The session does not have permission, or the files of the user take up all the space that the service allows: delete some and wait for a minute.',
    detail: 'This session does not have permission.',
  },
  not_found: {
    status: 404,
    codes: { not_found: 'There is no such record.' },
    when: 'There is no such record.',
    detail: 'Not found.',
  },
  method: {
    status: 405,
    codes: { method: 'The method is not offered at this path.' },
    when: 'The method, or the one named in X-HTTP-Method, is not supported at this path.',
    detail: 'PUT is not supported here; use POST.',
    headers: ['Allow'],
  },
  conflict: {
    status: 409,
    codes: {
      conflict: 'A record is in use, or belongs to another owner.',
      not_unique: 'A value is taken.',
    },
    when: 'Other records prevent it: a value is already taken, a record is in use, or it has another owner.',
    detail: 'The record is in use.',
  },
  conflict_with_key: {
    status: 409,
    codes: {
      conflict: 'A record is in use or belongs to another owner, or a request with the same key is in progress.',
      not_unique: 'A value is taken.',
    },
    when: 'Other records prevent it, or a request with the same `Idempotency-Key` is in progress, and `Retry-After` says when to try again.',
    detail: 'A request with this Idempotency-Key is under way.',
    headers: ['Retry-After'],
  },
  precondition_failed: {
    status: 412,
    codes: { precondition_failed: 'The record is not as `If-Match` says.' },
    when: 'The record has changed since it was read: its tag, which `ETag` shows, is not one that `If-Match` names.',
    detail: 'The record has changed meanwhile: read it again, and send its ETag.',
    headers: ['ETag'],
  },
  too_large: {
    status: 413,
    codes: { too_large: 'The body or the file is larger than the service accepts.' },
    when: 'The body or the file is larger than the service accepts.',
    detail: 'The body must not be larger than 1048576 bytes.',
  },
  unsupported_file: {
    status: 415,
    codes: { unsupported_file: 'The file is not of an accepted type.', ...UNREAD },
    when: 'The file is not of an accepted type, or the body is of a type that the service does not read.',
    detail: 'The file is not of an accepted type.',
    headers: ['Accept-Post', 'Accept-Patch'],
    fields: true,
  },
  unsupported_media_type: {
    status: 415,
    codes: UNREAD,
    when: 'The body is of a type that the service does not read.',
    detail:
      'The body must have one of these content types: application/json, application/x-www-form-urlencoded, multipart/form-data.',
    headers: ['Accept-Post', 'Accept-Patch'],
  },
  invalid: {
    status: 422,
    codes: INVALID,
    when: 'Parameters are missing, outside their limits, or refer to records that do not exist; `errors` lists all of them.',
    detail: 'name is required.',
    fields: true,
  },
  invalid_with_key: {
    status: 422,
    codes: { ...INVALID, idempotency_key_reused: 'The key was used for another request.' },
    when: 'Parameters are missing, outside their limits, or refer to records that do not exist (`errors` lists them all); or the `Idempotency-Key` was used for another request.',
    detail: 'name is required.',
    fields: true,
  },
  precondition_required: {
    status: 428,
    codes: { precondition_required: '`If-Match` is required.' },
    when: 'The request has no `If-Match`, which an update of such a record needs.',
    detail: 'If-Match is required: send the ETag of the record as it was read, or * for any.',
  },
  rate_limited: {
    status: 429,
    codes: { rate_limited: 'This user or address has made too many requests.' },
    when: 'This user or address has made too many requests in the last minute. A copy or a bulk create counts as one for each 10 records, an upload as one for each MiB, a login or a change of password as 10.',
    detail: 'Only 1200 requests a minute are allowed.',
    headers: ['Retry-After'],
  },
  internal: {
    status: 500,
    codes: { internal: 'The service failed.' },
    when: 'The service failed; the request id identifies the reason in its log.',
    detail: 'The service failed to respond; the request id identifies the reason in its log.',
  },
  unavailable: {
    status: 503,
    codes: { unavailable: 'The service is busy or stopping.' },
    when: 'The service is busy or stopping; send the request again later.',
    detail: 'The service is busy.',
    headers: ['Retry-After'],
  },
  storage_full: {
    status: 507,
    codes: { storage_full: 'There is no space left to store anything.' },
    when: 'There is no space left to store anything.',
    detail: 'The disk is full.',
  },
};

/** Reason phrases. */
export const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};
