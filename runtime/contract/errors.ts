// ServiceError: the one way to report a caller's mistake, with a code. The wire profiles map codes to statuses.

export type ErrorCode =
  | 'required'
  | 'invalid'
  | 'reference_not_found'
  | 'not_found'
  | 'login_required'
  | 'invalid_token'
  | 'wrong_password'
  | 'unknown_user'
  | 'forbidden'
  | 'insufficient_scope'
  | 'conflict'
  | 'not_unique'
  | 'unsupported_file'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'precondition_failed'
  | 'precondition_required'
  | 'too_large'
  | 'rate_limited'
  | 'malformed'
  | 'method'
  | 'unavailable'
  | 'storage_full'
  | 'quota_exceeded'
  | 'internal';

/** One failure of one parameter. */
export interface Failure {
  readonly field: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Parameters without effect (D19), so that a misspelled name shows beside the error it causes. */
  ignored: readonly string[] = [];

  /**
   * @param code what went wrong; decides the status in each wire profile (D04)
   * @param message a sentence for the client programmer
   * @param failures every failing parameter; empty if the error is not about a parameter
   * @param headers response headers that belong to the code, such as Allow or Retry-After
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly failures: readonly Failure[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The error that reports all failures together; the first determines the code. */
export function failed(failures: readonly [Failure, ...Failure[]]): ServiceError {
  const [first] = failures;
  return new ServiceError(first.code, first.message, failures);
}

/** Throws all failures in one error; does nothing if there are none. */
export function throwAll([first, ...rest]: readonly Failure[]): void {
  if (first !== undefined) throw failed([first, ...rest]);
}

/** Why a caller may not access a record: it is missing, or seems to be; it is another's; or a session is required. */
export type RefusalCode = Extract<ErrorCode, 'not_found' | 'forbidden' | 'login_required'>;

/** The error for a record that is missing or that the caller may not access. */
export function refusal({ title }: { readonly title: string }, code: RefusalCode): ServiceError {
  return new ServiceError(code, REFUSALS[code](title));
}

const REFUSALS: Readonly<Record<RefusalCode, (title: string) => string>> = {
  not_found: (title) => `${title} not found.`,
  forbidden: (title) => `${title}: this session does not have permission.`,
  login_required: (title) => `${title}: a session is required.`,
};
