// Reads the files that are kept with the sources, of which only the code is compiled into dist/.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Code } from '../diagnostics/catalogue.js';
import { ROOT } from './compile.js';

/** A template of generated code. */
export function readTemplate(name: string): string {
  return readFileSync(join(ROOT, 'generator', 'emit', 'templates', `${name}.hbs`), 'utf8');
}

/** The case of a diagnostic: files of a small project with marks below what is wrong. */
export function readCase(code: Code): string {
  return readFileSync(join(ROOT, 'generator', 'diagnostics', 'cases', `${code}.txt`), 'utf8');
}
