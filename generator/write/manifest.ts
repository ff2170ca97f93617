// The manifest: a hash of every output as gen last wrote it, which distinguishes a hand-edited file from a stale one. Pure.

import type { Content, Output } from '../emit/output.js';
import { hasConflictMarks } from '../ledger/parse.js';

/** Below the output folder; it does not list itself. */
export const MANIFEST = 'manifest.json';

/** Hashes by path; several if a merge left several lines for one file. */
export type Manifest = ReadonlyMap<string, ReadonlySet<string>>;

export interface ManifestHead {
  /** The build identity. */
  readonly build: string;
  /** Path of the spec folder, relative to the output folder. */
  readonly spec: string;
}

/** @returns generated/manifest.json: one line per output, sorted by path */
export function manifestText(outputs: readonly (Output & Content)[], { build, spec }: ManifestHead): string {
  const sorted = [...outputs].sort((a, b) => (a.path < b.path ? -1 : 1));
  const files = Object.fromEntries(sorted.map(({ path, hash }) => [path, hash]));
  return `${JSON.stringify({ build, spec, files }, null, 2)}\n`;
}

/** The files for which a merge left the hashes of both sides: their text may mix both sides, which is not a hand edit. */
export function mergedFiles(text: string): ReadonlySet<string> {
  // A gen that was killed left two manifests, one after the other.
  if (/^\}\r?\n\{/m.test(text) && !hasConflictMarks(text)) return new Set();
  const files = [...(parseManifest(text) ?? [])];
  return new Set(files.filter(([, hashes]) => hashes.size > 1).map(([path]) => path));
}

/**
 * Parses line by line, so that a manifest with conflict markers still shows what both sides had written.
 * @returns null if the text lists nothing at all
 */
export function parseManifest(text: string): Manifest | null {
  const files = new Map<string, Set<string>>();
  for (const [, path = '', hash = ''] of text.matchAll(/^\s*"([^"\n]+)": "([0-9a-f]{32})",?\r?$/gm)) {
    files.set(path, (files.get(path) ?? new Set()).add(hash));
  }
  return files.size === 0 ? null : files;
}
