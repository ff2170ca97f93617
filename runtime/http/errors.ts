// Turns any thrown value into the ServiceError that the client sees: unknown errors become `internal`. Creates the errors of the
// HTTP layer.
import { ServiceError } from '../contract/errors.js';
import { shortageOf } from '../contract/shortage.js';

/** Errors of Express and its middleware, by their `status`. */
const BY_STATUS: ReadonlyMap<unknown, () => ServiceError> = new Map([
  [400, () => new ServiceError('malformed', 'The request is malformed.')],
  [404, pathNotFound],
]);

/** `bug` is the thrown value if it is a bug of the service: for the log, never for the client. */
export interface ClassifiedError {
  readonly error: ServiceError;
  readonly bug: unknown;
}

export function classifyError(thrown: unknown): ClassifiedError {
  if (thrown instanceof ServiceError) return { error: thrown, bug: null };
  const shortage = shortageOf(thrown);
  if (shortage !== null) return { error: shortage, bug: null };
  const mapped = BY_STATUS.get((thrown as { status?: unknown } | null | undefined)?.status);
  if (mapped !== undefined) return { error: mapped(), bug: null };
  const error = new ServiceError(
    'internal',
    'The service failed to respond; the request id identifies the reason in its log.',
  );
  return { error, bug: thrown ?? new Error('Nothing was thrown.') };
}

export function tooLarge(bytes: number): ServiceError {
  return new ServiceError('too_large', `The body must not be larger than ${bytes} bytes.`);
}

export function endedEarly(): ServiceError {
  return new ServiceError('malformed', 'The body ended early.');
}

export function pathNotFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such path.');
}

export function methodNotAllowed(method: string, allow: string): ServiceError {
  return new ServiceError('method', `${method.slice(0, 20)} is not supported here; use ${allow}.`, [], {
    Allow: allow,
  });
}
