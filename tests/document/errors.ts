// Transcribes "Errors", which the document leaves out, as D03 and D04 answer it: the status of each code in both wire profiles.
import type { ErrorCode } from '../../runtime/contract/errors.js';

export interface Status {
  readonly plain: number;
  /** HTTP status and `error.code`. */
  readonly wing: number;
  /** The `code` of the plain body if it differs. */
  readonly plainCode?: ErrorCode;
  /** Header of the response. */
  readonly header?: 'Accept-Post' | 'Allow' | 'ETag' | 'Retry-After';
}

export const errors: Readonly<Record<ErrorCode, Status>> = {
  required: { plain: 422, wing: 441 },
  invalid: { plain: 422, wing: 442 },
  reference_not_found: { plain: 422, wing: 440 },
  not_found: { plain: 404, wing: 404 },
  login_required: { plain: 401, wing: 401 },
  invalid_token: { plain: 401, wing: 401 },
  // In plain, a wrong name and a wrong password have the same response (D13).
  wrong_password: { plain: 401, wing: 454, plainCode: 'login_required' },
  unknown_user: { plain: 401, wing: 440, plainCode: 'login_required' },
  forbidden: { plain: 403, wing: 450 },
  insufficient_scope: { plain: 403, wing: 450 },
  conflict: { plain: 409, wing: 409 },
  not_unique: { plain: 409, wing: 443 },
  unsupported_file: { plain: 415, wing: 444 },
  unsupported_media_type: { plain: 415, wing: 400, header: 'Accept-Post' },
  idempotency_key_reused: { plain: 422, wing: 442 },
  // D57
  precondition_failed: { plain: 412, wing: 453, header: 'ETag' },
  precondition_required: { plain: 428, wing: 441 },
  too_large: { plain: 413, wing: 413 },
  rate_limited: { plain: 429, wing: 452, header: 'Retry-After' },
  malformed: { plain: 400, wing: 400 },
  method: { plain: 405, wing: 405, header: 'Allow' },
  unavailable: { plain: 503, wing: 503, header: 'Retry-After' },
  storage_full: { plain: 507, wing: 507 },
  quota_exceeded: { plain: 403, wing: 450 },
  internal: { plain: 500, wing: 500 },
};

/** Keys of the error body (D03). */
export const plainBody = {
  contentType: 'application/problem+json',
  keys: ['type', 'title', 'status', 'detail', 'code', 'errors'],
  /** Keys of each entry of `errors`, which lists all failures. */
  entry: ['field', 'code', 'message'],
} as const;
/** `{error: {code, message, data}}` with the first failure. */
export const wingBody = { contentType: 'application/json; charset=utf-8', keys: ['code', 'message', 'data'] } as const;
