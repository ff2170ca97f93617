// Part of the build: compiles the validators of descriptors into a module beside the code that uses them.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import standaloneCode from 'ajv/dist/standalone';
import { compiledFrom, openLanguage, PARTS } from '../form/structure.js';

const TARGET = join(__dirname, '..', 'form', 'built-validators.js');

/** The text of the module. */
export function validatorsCode(): string {
  const code = standaloneCode(openLanguage({ source: true }), PARTS);
  return `${code}\nexports.compiledFrom = ${JSON.stringify(compiledFrom())};\n`;
}

/** Replaces the file in one step, since a command may start meanwhile. */
function main(): void {
  const temporary = `${TARGET}-${process.pid}`;
  writeFileSync(temporary, validatorsCode());
  renameSync(temporary, TARGET);
}

if (require.main === module) main();
