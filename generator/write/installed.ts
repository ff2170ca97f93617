// Reads files of Punchboard as installed, of which only code is compiled into dist/, and hashes the generator.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../diagnostics/catalogue.js';
import { ROOT } from './compile.js';

/** The version of Punchboard as installed. */
export function punchboardVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}

/** The case of a diagnostic: files of a small project with marks below the mistakes. */
export function readCase(code: Code): string {
  return readFileSync(join(ROOT, 'generator', 'diagnostics', 'cases', `${code}.txt`), 'utf8');
}

/** A part of every client, as compiled for a package of ES modules: the code without comments, and the types with them. */
export function clientPart(name: string): { readonly code: string; readonly types: string } {
  const read = (ending: string): string => {
    const text = readFileSync(join(ROOT, 'dist', 'generator', 'emit', 'client', `${name}.${ending}`), 'utf8');
    return `${PART_HEADER}${text.replace(/^\/\/# sourceMappingURL=.*\n?/m, '')}`;
  };
  const code = read('mjs').replace(/^ *\/\*\*.*?\*\/\n/gms, '');
  return { code, types: read('d.mts') };
}

/** The licence text that ships with these parts. */
export function clientLicence(): string {
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8');
}

const PART_HEADER = '// Written by `punchboard gen`, the same for every service. Do not edit.\n';

/** Folders with code that determines gen's outputs. */
const FOLDERS = ['dist/generator', 'dist/runtime/contract/kit', 'dist/runtime/project', 'dist/runtime/schema'] as const;
const FILES = ['dist/runtime/contract/needs.js', 'dist/runtime/schema/check-needs.js'] as const;
const LIBRARIES = ['ajv', 'ajv-formats', 'to-regex-range', 'yaml'] as const;

/** A hash of everything that determines gen's outputs, including the version that it writes into `build.ts`. */
export function generatorVersion(): string {
  const version = createHash('sha1').update(process.version).update(punchboardVersion());
  for (const folder of FOLDERS) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((one) => /\.(m?js|d\.mts)$/.test(one)).sort()) {
      version.update(`${file}\n`).update(readFileSync(join(ROOT, folder, file)));
    }
  }
  for (const file of [...FILES, 'LICENSE']) version.update(readFileSync(join(ROOT, file)));
  for (const library of LIBRARIES) version.update(readFileSync(require.resolve(`${library}/package.json`)));
  return version.digest('hex').slice(0, 20);
}
