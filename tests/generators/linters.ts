// Two independent linters report nothing in the API document, but do report a broken one.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '../support/counts.js';
import { partOf } from '../support/document-part.js';
import { ROOT } from '../support/paths.js';
import { type Program, run } from './tools.js';

const linters = (tools: string): readonly [redocly: Program, spectral: Program] => [
  {
    home: ROOT,
    command: ['redocly', 'lint', '--extends=recommended-strict', '--skip-rule=no-ambiguous-paths', '--format=stylish'],
  },
  { home: tools, command: ['spectral', 'lint', '--fail-severity=hint', '-r', join(ROOT, '.spectral.yaml')] },
];

/** In short, Spectral gets one of eight paths: all take two minutes of CPU. @param folder contains `openapi.json` */
export async function lint(tools: string, folder: string): Promise<void> {
  const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as Parameters<typeof partOf>[0];
  const paths = Object.keys(document.paths).filter((_, at) => at % count(8, 1) === 0);
  writeFileSync(join(folder, 'part.json'), JSON.stringify(partOf(document, paths)));
  const [redocly, spectral] = linters(tools);
  await Promise.all([run(redocly, folder, 'openapi.json'), run(spectral, folder, 'part.json')]);
}

/** A document with a duplicate operationId, which both linters must report. */
export async function lintBroken(tools: string, folder: string): Promise<void> {
  const get = { operationId: 'twice', responses: { 200: { description: 'Read.' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Broken', version: '1' },
    paths: { '/one': { get }, '/two': { get } },
  };
  writeFileSync(join(folder, 'broken.json'), JSON.stringify(document));
  for (const linter of linters(tools)) {
    const output = await run(linter, folder, 'broken.json').then(() => 'nothing', String);
    if (!output.includes('operation-operationId-unique')) throw new Error(`${linter.command[0]} reports ${output}`);
  }
}
