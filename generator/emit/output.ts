// An output of gen: a text and its path.

import { createHash } from 'node:crypto';
import { remembered } from '../remembered.js';

/** A text and its hash. */
export interface Content {
  readonly hash: string;
  readonly text: string;
}

export interface Output {
  /** Relative to the output folder. */
  readonly path: string;
  readonly text: string;
}

/** The output with its hash. */
export const hashed = remembered((output: Output): Output & Content => ({ ...output, hash: hash(output.text) }));

/** The same for a text whose line ends git may have converted to those of Windows. */
export function hash(text: string): string {
  return createHash('sha256').update(lineEnds(text)).digest('hex').slice(0, 32);
}

/** The same text with `\n` at the end of every line. */
export function lineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
