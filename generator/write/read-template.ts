// Reads the templates of generated code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile.js';

/** Templates are kept with the sources, of which only the code is compiled into dist/. */
export function readTemplate(name: string): string {
  return readFileSync(join(ROOT, 'generator', 'emit', 'templates', `${name}.hbs`), 'utf8');
}
