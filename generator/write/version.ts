// Hashes the generator as installed: its compiled code, its templates and the libraries that read or write for it.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile.js';

/** Folders of code that decides what gen writes. */
const FOLDERS = ['dist/generator', 'dist/runtime/project', 'dist/runtime/schema', 'generator/emit/templates'] as const;
const FILES = ['dist/runtime/needs.js', 'dist/runtime/check-needs.js'] as const;
const LIBRARIES = ['ajv', 'ajv-formats', 'handlebars', 'to-regex-range', 'yaml'] as const;

export function generatorVersion(): string {
  const version = createHash('sha1').update(process.version);
  for (const folder of FOLDERS) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => /\.(m?js|d\.mts|hbs)$/.test(one)).sort()) {
      version.update(`${file}\n`).update(readFileSync(join(ROOT, folder, file)));
    }
  }
  for (const file of FILES) version.update(readFileSync(join(ROOT, file)));
  for (const library of LIBRARIES) version.update(readFileSync(require.resolve(`${library}/package.json`)));
  return version.digest('hex').slice(0, 20);
}
