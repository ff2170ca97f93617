// The descriptors of this project as files in memory. Holds no test.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { check } from '../../generator/check/check.js';
import type { Diagnostic } from '../../generator/diagnostics/diagnostic.js';
import { load, type SourceFile } from '../../generator/load.js';

export const ROOT = path.join(__dirname, '../../..');

export function projectFiles(): SourceFile[] {
  const resources = readdirSync(path.join(ROOT, 'spec/resources')).map((name) => `spec/resources/${name}`);
  const others = ['spec/conventions.yaml', 'spec/events.yaml'].filter((name) => existsSync(path.join(ROOT, name)));
  return [...resources, ...others].map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

export function diagnose(files: readonly SourceFile[]): Diagnostic[] {
  const loaded = load(files);
  return [...loaded.diagnostics, ...check(loaded.documents).diagnostics];
}
