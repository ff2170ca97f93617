// Services of two states of the small spec, the newer of which has a cut of the older, and what both answer to the same requests.

import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printJson } from '../../generator/emit/print.js';
import { generate } from '../../generator/generate.js';
import type { Ledger } from '../../generator/ledger/ledger.js';
import { cut } from '../../generator/versions/shape.js';
import type { StartOptions } from '../../runtime/server/main.js';
import type { State } from '../evolution/pairs.js';
import { sourceOf } from '../evolution/texts.js';
import { ROOT } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';
import { sourceFile } from '../support/source-files.js';
import { answersOf, type Called } from './requests.js';

export const VERSION = '2027-01-15';

/** A folder in which outputs find what they import. */
export function prepare(folder: string): void {
  for (const name of ['runtime', 'tests']) symlinkSync(join(ROOT, 'dist', name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

export interface Made {
  /** Its output folder. */
  readonly generated: string;
  readonly sources: readonly string[];
}

/** @param cuts states of before, by date */
export function make(
  generated: string,
  now: State,
  before: Ledger | null,
  cuts: Readonly<Record<string, State>>,
): Made {
  const source = sourceOf(now.texts, before);
  const versions = Object.entries(cuts).map(([date, { model }]) =>
    sourceFile(`spec/versions/${date}.json`, printJson(cut(model, date, '2099-01-01'))),
  );
  const made = generate({ ...source, files: [...source.files, ...versions] }, '../runtime/contract/kit.js');
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join('\n'));
  for (const { path, text } of made.outputs) {
    mkdirSync(dirname(join(generated, path)), { recursive: true });
    writeFileSync(join(generated, path), text);
  }
  const sources = made.outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(generated, path));
  return { generated, sources };
}

/** Without types, which takes a tenth of the time. */
export function compileAll(all: readonly Made[]): void {
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const options = [
    ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'],
    ...['--noCheck', '--noResolve', '--isolatedModules', '--types', '', '--lib', 'es5'],
  ];
  spawnSync(process.execPath, [compiler, ...options, ...all.flatMap(({ sources }) => sources)], { cwd: ROOT });
}

const done = () => ({});
/** What the functions of the small spec do is not the matter. */
const handwritten = { behaviours: {}, actions: { sale: { ship: done, cancel: done } } };

/** What the service answers; under a version, where one is named. */
export async function answers(
  { generated }: Made,
  version: string | null,
  options: Partial<StartOptions> = {},
): Promise<readonly Called[]> {
  const service = await startService({ generated, handwritten: handwritten as never, ...options });
  try {
    return await answersIn(service, version);
  } finally {
    await service.stop();
  }
}

function answersIn(service: TestService, version: string | null): Promise<readonly Called[]> {
  return answersOf(service, version === null ? {} : { 'punchboard-version': version });
}
