// What is wrong with several creates that are written together: all failures at once, each with the place of its record.
import { type Failure, ServiceError } from '../../errors.js';

/** The failures of a refused write, their fields after the place: `[3].name`. Throws whatever is not a caller's mistake. */
export function failuresAt(place: number, error: unknown): readonly Failure[] {
  if (!(error instanceof ServiceError) || RETRYABLE.has(error.code)) throw error;
  const { code, message, failures } = error;
  if (failures.length === 0) return [{ field: `[${place}]`, code, message }];
  return failures.map((failure) => ({ ...failure, field: `[${place}].${failure.field}` }));
}

/** About the database, not about a record. */
const RETRYABLE: ReadonlySet<string> = new Set(['unavailable', 'storage_full', 'internal']);
