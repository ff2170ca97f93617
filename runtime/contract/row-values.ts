// Conversions that generated handlers share, from parameters to row values.

import type { Upload, WriteContext } from './definition.js';
import { ServiceError } from './errors.js';

type MappedValue<T, From, To> = T extends From ? To : T;

/**
 * The value of a column after an update (D18).
 * @param sent undefined: not sent, `current` stays; null: emptied, `fallback` applies (the default, or null if nullable)
 */
export function kept<T>(sent: NoInfer<T> | null | undefined, current: T, fallback: NoInfer<T>): T {
  if (sent === undefined) return current;
  return sent === null ? fallback : sent;
}

/** A boolean as it is stored; null and undefined pass through. */
export function bit<T extends boolean | null | undefined>(value: T): MappedValue<T, boolean, 0 | 1> {
  return (typeof value === 'boolean' ? (value ? 1 : 0) : value) as MappedValue<T, boolean, 0 | 1>;
}

/** RFC 3339 text as epoch milliseconds; null and undefined pass through. */
export function epoch<T extends string | null | undefined>(value: T): MappedValue<T, string, number> {
  return (typeof value === 'string' ? Date.parse(value) : value) as MappedValue<T, string, number>;
}

/** A JSON value as its text; null and undefined pass through. */
export function jsonText<T>(value: T): string | Extract<T, null | undefined> {
  return value === null || value === undefined ? (value as Extract<T, null | undefined>) : JSON.stringify(value);
}

/**
 * The flag that records that an image was proofed (D26): another file resets it unless the same request sends the
 * flag, removing the image clears it in any case, and an unchanged image leaves it alone.
 * @param sent the flag as sent; undefined: not sent; null counts as false
 * @param newImage id of the file as sent; undefined: not sent; null: the image is removed
 * @param image id in the row
 * @param flag the flag in the row
 */
export function proofed(
  sent: boolean | null | undefined,
  newImage: string | null | undefined,
  image: string | null,
  flag: number,
): 0 | 1 {
  const changed = newImage !== undefined && newImage !== image;
  if (changed && newImage === null) return 0;
  if (sent !== undefined) return sent === true ? 1 : 0;
  return changed || flag === 0 ? 0 : 1;
}

/** The session's user. Throws `login_required` without a session: anyone may create the record, but must then say whose it is. */
export function owner(context: WriteContext): string {
  if (context.user === null) throw new ServiceError('login_required', 'Log in, or name the user whose record this is.');
  return context.user;
}

/** What was read from the uploaded bytes; a record that stores an upload is never created without them. */
export function uploaded(context: WriteContext): Upload {
  if (context.upload === null) throw new Error('a record that stores an upload is created without bytes');
  return context.upload;
}
