// The build identity in the outputs of tests: a constant for folders that tests write, and texts without it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../../generator/emit/output.js';
import type { Generation } from '../../generator/generate.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { programVersion } from '../../runtime/server/load-generated.js';

const IDENTITY = '0123456789abcdef0123';

/** Writes a schema, and the file that identifies the compiled code beside it, as gen does. */
export function writeIdentified(folder: string, schema: Schema): void {
  const build = { identity: IDENTITY, spec: '', version: programVersion() };
  writeFileSync(join(folder, 'build.js'), `exports.build = ${JSON.stringify(build)};\n`);
  writeFileSync(join(folder, 'schema.json'), `{\n  "build": "${IDENTITY}",\n${JSON.stringify(schema).slice(1)}\n`);
}

/** The outputs without the parts that distinguish specs with the same meaning. */
export function withoutIdentity({ outputs, build }: Extract<Generation, { readonly ok: true }>): readonly Output[] {
  return outputs.map(({ path, text }) => ({
    path,
    text: text.replaceAll(build.identity, 'identity').replaceAll(build.spec, 'spec'),
  }));
}
