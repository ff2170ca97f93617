// Turns the errors of a bucket into our own: for callers while the service runs, for the operator when it starts.

import { ServiceError } from '../contract/errors.js';
import { StartError } from '../store/start-error.js';

/** The properties of the SDK's errors that are used here. */
interface BucketError extends Error {
  /** The code of the system, for errors below HTTP. */
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export function isMissing(error: unknown): boolean {
  const { name } = error as BucketError;
  return statusOf(error) === 404 && name !== 'NoSuchBucket';
}

/**
 * No response, or one that asks to try again, is `unavailable`, a full store `storage_full`. Any other error is returned
 * unchanged, for the log: no caller can do anything about it.
 */
export function bucketFailure(error: unknown): unknown {
  const status = statusOf(error);
  if (status === 507) return new ServiceError('storage_full', 'There is not enough space to store the file.');
  if (status !== undefined && status < 500 && status !== 429 && status !== 408) return error;
  const message = `The file store does not respond (${reasonOf(error)}); try again.`;
  return new ServiceError('unavailable', message, [], { 'Retry-After': '5' });
}

/** What an operator can do about a bucket that cannot be used at start. */
const ADVICE: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or provide them in another way that the AWS SDK supports',
  NoSuchBucket: 'there is no such bucket: create it, or choose another with --files',
  NotFound: 'there is no such bucket: create it, or choose another with --files',
  InvalidAccessKeyId: 'the access key is unknown there: check AWS_ACCESS_KEY_ID and the endpoint',
  SignatureDoesNotMatch: 'the secret key does not match the access key: check AWS_SECRET_ACCESS_KEY',
  AccessDenied: 'access is denied: allow listing the bucket, and reading, writing and deleting objects',
  PermanentRedirect: 'it is in another region: set that with ?region= or AWS_REGION',
};

/** @param bucket its name */
export function cannotStart(error: unknown, bucket: string): StartError {
  const { name, message } = error as BucketError;
  const advice = /region is missing/i.test(message)
    ? 'its region is unknown: set it with ?region= or AWS_REGION'
    : (ADVICE[name] ?? `of ${reasonOf(error)}: check the endpoint, the region and the credentials`);
  return new StartError(`the files bucket ${bucket} cannot be used, because ${advice}`);
}

function statusOf(error: unknown): number | undefined {
  return (error as BucketError).$metadata?.httpStatusCode;
}

/** In one line, with at most a few words of the other side's message. */
function reasonOf(error: unknown): string {
  const { code, name, message } = error as BucketError;
  return code ?? (name === 'Error' ? message.split('\n', 1)[0] : name) ?? 'unknown';
}
