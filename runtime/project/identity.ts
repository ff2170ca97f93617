// The build identity: one hash for everything that belongs together. gen writes it into the manifest, the compiled code and
// schema.json, and a start compares these.

import { createHash } from 'node:crypto';

/** What generated code states about itself: the constant `build` of `build.ts`. */
export interface Build {
  /** Hash of the spec with its ledger, of everything generated from it, and of the version of Punchboard. */
  readonly identity: string;
  /** Hash of the spec with its ledger alone, which a start compares with the spec on disk. */
  readonly spec: string;
  /** The version of Punchboard that generated it. */
  readonly version: string;
}

/**
 * A start computes it, too: as one text, it takes a third of the time.
 * @param files path and text of each descriptor and of the ledger, in any order; comments and empty lines do not count
 */
export function hashOfSpec(files: readonly (readonly [path: string, text: string])[]): string {
  const whole = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([path, text]) => [path, text, '\0']);
  return hashOf(
    whole
      .join('\n')
      .replaceAll('\r\n', '\n')
      .replace(/^[ \t]*(?:#.*)?\n/gm, ''),
  );
}

/** @param files path and hash of everything generated, in any order, without the identity */
export function buildOf(
  files: readonly (readonly [path: string, hash: string])[],
  spec: string,
  version: string,
): Build {
  const lines = [...files.map((file) => file.join(' ')), `${spec} ${version}`].sort();
  return { identity: hashOf(lines.join('\n')), spec, version };
}

/** 20 hexadecimal digits; a manifest's hashes of files have 32. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** The identities at the beginning of a manifest or a schema.json: a merge, or a gen that was killed, may leave several. */
export function identitiesIn(text: string): readonly string[] {
  const matches = text.slice(0, HEAD).matchAll(/^ {2}"build": "([0-9a-f]{20})",?\r?$/gm);
  return [...matches].map(([, identity]) => identity ?? '');
}

/** The identities are within this many characters, even between merge markers: a start need not search the rest. */
const HEAD = 1000;

/** The identity in the text of a build.ts, or of the code compiled from it; null if there is none, or no text. */
export function identityOfCode(text: string | null): string | null {
  return /^ {2,4}identity: '([0-9a-f]{20})',\r?$/m.exec(text ?? '')?.[1] ?? null;
}
