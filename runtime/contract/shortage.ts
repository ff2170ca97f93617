// Maps shortages of the system (disk space, file handles, a disk that does not respond) to errors that callers may retry.
import { ServiceError } from './errors.js';

const NO_SPACE = 'There is no space for the change.';
const NO_DESCRIPTORS = 'The server has too many files and connections open; try again.';
const NO_STORAGE = 'The storage of the server does not respond; try again.';

const SHORTAGES: Readonly<Record<string, () => ServiceError>> = {
  ENOSPC: () => new ServiceError('storage_full', NO_SPACE),
  EFBIG: () => new ServiceError('storage_full', 'The server may not write files of this size.'),
  EDQUOT: () => new ServiceError('storage_full', NO_SPACE),
  EMFILE: () => new ServiceError('unavailable', NO_DESCRIPTORS, [], { 'Retry-After': '1' }),
  ENFILE: () => new ServiceError('unavailable', NO_DESCRIPTORS, [], { 'Retry-After': '1' }),
  EIO: () => new ServiceError('unavailable', NO_STORAGE, [], { 'Retry-After': '1' }),
};

/** Null: the error is not a shortage. */
export function shortageOf(error: unknown): ServiceError | null {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' && Object.hasOwn(SHORTAGES, code) ? (SHORTAGES[code]?.() ?? null) : null;
}
