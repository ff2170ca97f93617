// The descriptors of this project as files in memory.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileSpec } from '../../generator/compile-spec.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { parseLedger } from '../../generator/ledger/parse.js';
import type { SourceFile } from '../../generator/load/load.js';
import type { Code } from '../../runtime/schema/check-needs.js';

const LEDGER = 'spec/ledger.json';
export const ROOT = path.join(__dirname, '../../..');

export function projectFiles(): SourceFile[] {
  const resources = readdirSync(path.join(ROOT, 'spec/resources')).map((name) => `spec/resources/${name}`);
  const others = ['spec/conventions.yaml', 'spec/events.yaml'].filter((name) => existsSync(path.join(ROOT, name)));
  return [...resources, ...others].map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

/** The text of every file below a folder, by its path in the folder. */
export function textsIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = entries.filter((file) => statSync(path.join(folder, file)).isFile());
  return Object.fromEntries(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

/** The diagnostics of gen for the files; a `spec/ledger.json` among them holds the names of the last gen. */
export function diagnose(files: readonly SourceFile[], code: Code | null = null): Diagnostic[] {
  const text = files.find((file) => file.path === LEDGER)?.text;
  const ledger = text === undefined ? null : parseLedger(text);
  if (typeof ledger === 'string') throw new Error(`${LEDGER} ${ledger}`);
  const source = { files: files.filter((file) => file.path !== LEDGER), ledger };
  return [...compileSpec(code === null ? source : { ...source, code }).diagnostics];
}
