// The one way a caller's mistake is said: a ServiceError with a code. Statuses live in the wire profiles.

export type ErrorCode =
  | 'required'
  | 'invalid'
  | 'reference_not_found'
  | 'not_found'
  | 'login_required'
  | 'wrong_password'
  | 'unknown_user'
  | 'forbidden'
  | 'conflict'
  | 'not_unique'
  | 'unsupported_file'
  | 'too_large'
  | 'rate_limited'
  | 'malformed'
  | 'method'
  | 'unavailable'
  | 'storage_full'
  | 'internal';

/** One thing that is wrong with one parameter. */
export interface Failure {
  readonly field: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Parameters without effect (D19): a slip in a name shows beside the error it causes. */
  ignored: readonly string[] = [];

  /**
   * @param code what went wrong; decides the status in each wire profile (D04)
   * @param message a sentence for the client programmer
   * @param failures every failing parameter at once; empty where no parameter is to blame
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

/** The error that reports all failures at once; the first decides the code. */
export function failed(failures: readonly [Failure, ...Failure[]]): ServiceError {
  const [first] = failures;
  return new ServiceError(first.code, first.message, failures);
}
