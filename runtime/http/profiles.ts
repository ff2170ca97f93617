// The two wire profiles (D01 to D06): the format of results, errors, dates and booleans, and the document that describes
// it. Nothing else depends on the profile.
import { STATUS_CODES } from 'node:http';
import type { ErrorCode, ServiceError } from '../contract/errors.js';
import type { BoundPrefixes } from '../operations/page.js';
import type { WireFormats } from '../store/records.js';
import { HTTP_PARTS } from './optional-parts.js';

export interface ErrorBody {
  readonly status: number;
  /** Content type. */
  readonly type: string;
  readonly text: string;
}

export interface Profile extends WireFormats {
  readonly name: 'plain' | 'wing';
  /** What the body of a success has before and after the JSON text of its result (D01). */
  readonly envelope: readonly [before: string, after: string];
  /** The status of a success that has created a record (D02). */
  readonly created: 200 | 201;
  /** Status and body of an error (D03, D04). @param isWrite a record was to be created, updated or deleted */
  error(error: ServiceError, requestId: string, isWrite?: boolean): ErrorBody;
  /** Records per page where a request asks for fewer than 1 or more than 100; null: that is refused. */
  readonly otherPageSize: number | null;
  /** Other names of the bounds of a range, put before the name of the column (D62). */
  readonly boundPrefixes: BoundPrefixes;
  /** The same formats, for responses that do not come from the engine. */
  formatDate(milliseconds: number): string;
  formatBoolean(value: boolean): boolean | number;
  /** The API document of the profile, from the generated one, which describes plain. */
  document(generated: Buffer): Buffer;
}

export const PROFILES: Readonly<Record<Profile['name'], Profile>> = {
  plain: {
    name: 'plain',
    envelope: ['', ''],
    created: 201,
    error: problem,
    otherPageSize: null,
    boundPrefixes: {},
    date: 'iso',
    boolean: 'boolean',
    formatDate: (milliseconds) => new Date(milliseconds).toISOString(),
    formatBoolean: (value) => value,
    document: (generated) => generated,
  },
  wing: {
    name: 'wing',
    envelope: ['{"result":', '}'],
    created: 200,
    error: wingError,
    otherPageSize: 25,
    boundPrefixes: { gte: '_start_', lte: '_end_' },
    date: 'seconds',
    boolean: 'number',
    extras: true,
    formatDate: wingDate,
    formatBoolean: (value) => (value ? 1 : 0),
    document(generated) {
      const formats = { status: (code: ErrorCode) => STATUSES[code].wing, date: wingDate };
      return Buffer.from(HTTP_PARTS.wingDocument().wingDocument(generated.toString(), formats));
    },
  },
};

/** D04, one row per code. */
const STATUSES: Readonly<Record<ErrorCode, { readonly plain: number; readonly wing: number }>> = {
  required: { plain: 422, wing: 441 },
  invalid: { plain: 422, wing: 442 },
  reference_not_found: { plain: 422, wing: 440 },
  not_found: { plain: 404, wing: 404 },
  login_required: { plain: 401, wing: 401 },
  invalid_token: { plain: 401, wing: 401 },
  wrong_password: { plain: 401, wing: 454 },
  unknown_user: { plain: 401, wing: 440 },
  forbidden: { plain: 403, wing: 450 },
  insufficient_scope: { plain: 403, wing: 450 },
  conflict: { plain: 409, wing: 409 },
  not_unique: { plain: 409, wing: 443 },
  unsupported_file: { plain: 415, wing: 444 },
  unsupported_media_type: { plain: 415, wing: 400 },
  idempotency_key_reused: { plain: 422, wing: 442 },
  precondition_failed: { plain: 412, wing: 453 },
  precondition_required: { plain: 428, wing: 441 },
  too_large: { plain: 413, wing: 413 },
  rate_limited: { plain: 429, wing: 452 },
  malformed: { plain: 400, wing: 400 },
  method: { plain: 405, wing: 405 },
  unavailable: { plain: 503, wing: 503 },
  storage_full: { plain: 507, wing: 507 },
  quota_exceeded: { plain: 403, wing: 450 },
  internal: { plain: 500, wing: 500 },
};

/** Codes that a plain client must not be able to distinguish (D13). */
const REPORTED_AS: Partial<Record<ErrorCode, ErrorCode>> = {
  wrong_password: 'login_required',
  unknown_user: 'login_required',
};

/** RFC 9457. `code` identifies the problem; `type` stays about:blank, so `title` is the phrase of the status. */
function problem(error: ServiceError, requestId: string): ErrorBody {
  const status = STATUSES[error.code].plain;
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: error.message,
    code: REPORTED_AS[error.code] ?? error.code,
    request_id: requestId,
    errors: error.failures,
  };
  return { status, type: 'application/problem+json', text: JSON.stringify(body) };
}

function wingDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** A refused write means that a right is missing, with or without a session (D07). */
function wingError(error: ServiceError, _requestId: string, isWrite = false): ErrorBody {
  const code = STATUSES[isWrite && error.code === 'login_required' ? 'forbidden' : error.code].wing;
  const body = {
    error: { code, message: error.message, data: error.failures[0]?.field ?? error.headers.ETag ?? null },
  };
  return { status: code, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}
