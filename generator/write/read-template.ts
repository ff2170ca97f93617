// Reads the files that are kept with the sources, of which only the code is compiled into dist/.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../diagnostics/catalogue.js';
import { ROOT } from './compile.js';

/** A template of generated code. */
export function readTemplate(name: string): string {
  return readFileSync(join(ROOT, 'generator', 'emit', 'templates', `${name}.hbs`), 'utf8');
}

/** The version of Punchboard as installed. */
export function punchboardVersion(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  return version;
}

/** The case of a diagnostic: files of a small project with marks below what is wrong. */
export function readCase(code: Code): string {
  return readFileSync(join(ROOT, 'generator', 'diagnostics', 'cases', `${code}.txt`), 'utf8');
}

/**
 * The core of the client as the compiler wrote it, for a package of ES modules: the code, and its types.
 */
export function clientCore(): { readonly code: string; readonly types: string } {
  const read = (ending: string): string => {
    const text = readFileSync(join(ROOT, 'dist', 'generator', 'emit', 'client', `core.${ending}`), 'utf8');
    return `${CORE_HEADER}${text.replace(/^\/\/# sourceMappingURL=.*\n?/m, '')}`;
  };
  return { code: read('mjs'), types: read('d.mts') };
}

const CORE_HEADER = '// Written by `punchboard gen`, the same for every service. Do not edit.\n';
