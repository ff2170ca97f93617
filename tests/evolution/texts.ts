// The texts of one small spec, edits of them, and both sides of an edit as models. Holds no case.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecSource } from '../../generator/check/project.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { print } from '../../generator/diagnostics/print.js';
import type { Ledger } from '../../generator/ledger/ledger.js';
import { memoizeByObject } from '../../generator/memoize.js';
import type { Model } from '../../generator/model/model.js';
import { ROOT } from '../support/paths.js';
import { sourceFile } from '../support/source-files.js';

/** Texts by path below the spec folder, such as `resources/board.yaml`. */
export type Texts = Readonly<Record<string, string>>;
/** By path: replacements (each once, in order), a whole new text, or null to remove the file. */
export type Edit = Readonly<Record<string, readonly (readonly [string, string])[] | string | null>>;

const FOLDER = join(ROOT, 'tests', 'evolution', 'base');

/** The spec that every edit starts from. */
export const BASE: Texts = Object.fromEntries(
  ['conventions.yaml', 'events.yaml', ...readdirSync(join(FOLDER, 'resources')).map((file) => `resources/${file}`)]
    .sort()
    .map((path) => [path, readFileSync(join(FOLDER, path), 'utf8')]),
);

/** @throws Error if a text to replace does not occur exactly once, since the edit would not be what it claims */
export function edited(texts: Texts, edit: Edit): Texts {
  const changed = Object.entries(edit).map(([path, change]) => [path, changedText(texts[path], path, change)] as const);
  return Object.fromEntries(
    Object.entries({ ...texts, ...Object.fromEntries(changed) }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
}

function changedText(text: string | undefined, path: string, change: Edit[string]): string | null {
  if (change === null || typeof change === 'string' || change === undefined) return change ?? null;
  if (text === undefined) throw new Error(`${path} is not there to be edited`);
  return change.reduce((before, [from, to]) => {
    if (before.split(from).length !== 2) throw new Error(`${path}: "${from}" stands there not exactly once`);
    return before.replace(from, () => to);
  }, text);
}

/** A state of the spec: its texts, what follows from them, and the ledger that gen writes. */
export interface State {
  readonly texts: Texts;
  readonly model: Model;
  readonly ledger: Ledger;
}

/** Computed once for the same texts and ledger. @throws Error with the diagnostics of invalid texts */
export const state = memoizeByObject((texts: Texts, before: Ledger | null): State => {
  const source = sourceOf(texts, before);
  const compiled = compileSpec(source);
  if (compiled.ok) return { texts, model: compiled.model, ledger: compiled.ledger };
  throw new Error(print(compiled.diagnostics, new Map(source.files.map(({ path, text }) => [path, text]))));
});

export function sourceOf(texts: Texts, ledger: Ledger | null): SpecSource {
  return { files: Object.entries(texts).map(([path, text]) => sourceFile(`spec/${path}`, text)), ledger };
}
