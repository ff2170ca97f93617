// The build identity: one hash for what belongs together. gen writes it into the manifest, the compiled code and schema.json, and a
// start compares them.

import { createHash } from 'node:crypto';

/** What generated code says about itself: the constant `build` of `build.ts`. */
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

/** @param files path and hash of everything generated, in any order, as it is without the identity */
export function buildOf(
  files: readonly (readonly [path: string, hash: string])[],
  spec: string,
  version: string,
): Build {
  const lines = [...files.map((file) => file.join(' ')), `${spec} ${version}`].sort();
  return { identity: hashOf(lines.join('\n')), spec, version };
}

/** 20 hexadecimal digits; those of 32 in a manifest are hashes of files. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** The identities at the beginning of a manifest or a schema.json: several where a merge, or a gen that was killed, left several. */
export function identitiesIn(text: string): readonly string[] {
  const found = text.slice(0, HEAD).matchAll(/^ {2}"build": "([0-9a-f]{20})",?\r?$/gm);
  return [...found].map(([, identity]) => identity ?? '');
}

/** Characters among which they are, also between the marks of a merge: a start need not look through the rest. */
const HEAD = 1000;

/** The identity in the text of a build.ts, or of what is compiled from it; null if there is none, or no text. */
export function identityOfCode(text: string | null): string | null {
  return /^ {2,4}identity: '([0-9a-f]{20})',\r?$/m.exec(text ?? '')?.[1] ?? null;
}
