// The hash from which numbers are drawn, and which distinguishes contents and long names. Pure.

import { createHash } from 'node:crypto';

/** @returns SHA-256 in hexadecimal digits */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
