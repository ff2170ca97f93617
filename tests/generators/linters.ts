// Two independent linters find nothing in the API document, and do find what is broken.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';
import { type Program, run } from './tools.js';

const linters = (tools: string): readonly Program[] => [
  {
    home: ROOT,
    command: ['redocly', 'lint', '--extends=recommended-strict', '--skip-rule=no-ambiguous-paths', '--format=stylish'],
  },
  { home: tools, command: ['spectral', 'lint', '--fail-severity=hint', '-r', join(ROOT, '.spectral.yaml')] },
];

/** @param folder with `openapi.json` in it */
export async function lint(tools: string, folder: string): Promise<void> {
  await Promise.all(linters(tools).map((linter) => run(linter, folder, 'openapi.json')));
}

/** A document with an operationId given twice, which both have to report. */
export async function lintBroken(tools: string, folder: string): Promise<void> {
  const get = { operationId: 'twice', responses: { 200: { description: 'Read.' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Broken', version: '1' },
    paths: { '/one': { get }, '/two': { get } },
  };
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(document));
  for (const linter of linters(tools)) {
    const said = await run(linter, folder, 'broken.json').then(() => 'nothing', String);
    if (!said.includes('operation-operationId-unique')) throw new Error(`${linter.command[0]} reports ${said}`);
  }
}
