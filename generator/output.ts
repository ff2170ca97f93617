// What an output is: a text, perhaps not made yet, and where it goes. Writes nothing.

import { createHash } from 'node:crypto';

/** A text, perhaps not read or made yet, and its hash. */
export interface Content {
  readonly hash: string;
  readonly text: string;
}

export interface Output {
  /** Below the output folder. */
  readonly path: string;
  /** Made when first asked for where the hash is known from before. */
  readonly text: string;
  readonly hash?: string;
}

/** An output whose hash is known; its text is made only when asked for. */
export function knownOutput(path: string, hash: string, make: () => string): Output & Content {
  let made: string | null = null;
  return {
    path,
    hash,
    get text() {
      made ??= make();
      return made;
    },
  };
}

/** The output with its hash. */
export function hashed(output: Output): Output & Content {
  return output.hash === undefined ? { ...output, hash: hash(output.text) } : (output as Output & Content);
}

/** The same for a text whose line ends git has turned into those of Windows. */
export function hash(text: string): string {
  return createHash('sha256').update(lineEnds(text)).digest('hex').slice(0, 32);
}

/** The same text with `\n` at the end of every line. */
export function lineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
