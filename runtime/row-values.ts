// What generated handlers share: parameters in, a row out. Never SQL, never validation.

import type { Upload, WriteContext } from './definition.js';

type Mapped<T, From, To> = T extends From ? To : T;

/**
 * What a column holds after an update (D18).
 * @param given undefined: not sent, `current` stays; null: emptied, `fallback` (the default, or null where nullable)
 */
export function kept<T>(given: NoInfer<T> | null | undefined, current: T, fallback: NoInfer<T>): T {
  if (given === undefined) return current;
  return given === null ? fallback : given;
}

/** A boolean as SQLite keeps it; null and undefined pass through. */
export function bit<T extends boolean | null | undefined>(value: T): Mapped<T, boolean, 0 | 1> {
  return (typeof value === 'boolean' ? (value ? 1 : 0) : value) as Mapped<T, boolean, 0 | 1>;
}

/** RFC 3339 text as epoch milliseconds; null and undefined pass through. */
export function epoch<T extends string | null | undefined>(value: T): Mapped<T, string, number> {
  return (typeof value === 'string' ? Date.parse(value) : value) as Mapped<T, string, number>;
}

/** A JSON value as its text; null and undefined pass through. */
export function jsonText<T>(value: T): string | Extract<T, null | undefined> {
  return value === null || value === undefined ? (value as Extract<T, null | undefined>) : JSON.stringify(value);
}

/**
 * The flag that says somebody has checked an image (D26): another file resets it unless the same request sends the
 * flag, removing the image clears it in any case, and an unchanged image leaves it alone.
 * @param sent the flag as sent; undefined: not sent; null counts as false
 * @param newImage id of the file as sent; undefined: not sent; null: the image is removed
 * @param image id the row holds
 * @param flag the flag the row holds
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

/** The session's user; creating a record that belongs to its maker needs a session, so a missing one is a bug. */
export function owner(context: WriteContext): string {
  if (context.user === null) throw new Error('a record of the session user is made without a session');
  return context.user;
}

/** What was read from the uploaded bytes; a resource that stores uploads is not created without. */
export function uploaded(context: WriteContext): Upload {
  if (context.upload === null) throw new Error('a record of an upload is made without bytes');
  return context.upload;
}
