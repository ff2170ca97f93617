// The hash by which numbers are drawn, and by which contents and long names are told apart. Pure.

import { createHash } from 'node:crypto';

/** @returns SHA-256 in hexadecimal digits */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
