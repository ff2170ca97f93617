// Builds services of two states of the small spec, the newer one with a cut of the older, and records their answers.

import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
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
import { writeFiles } from '../support/write-files.js';
import { answersOf, type RecordedAnswer } from './requests.js';

export const VERSION = '2027-01-15';

/** Links what the outputs import into a folder. */
export function prepare(folder: string): void {
  for (const name of ['runtime', 'tests']) symlinkSync(join(ROOT, 'dist', name), join(folder, name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

export interface BuiltService {
  /** The output folder. */
  readonly generated: string;
  readonly sources: readonly string[];
}

/** @param cuts earlier states, by the date of their version */
export function make(
  generated: string,
  now: State,
  before: Ledger | null,
  cuts: Readonly<Record<string, State>>,
): BuiltService {
  const source = sourceOf(now.texts, before);
  const versions = Object.entries(cuts).map(([date, { model }]) =>
    sourceFile(`spec/versions/${date}.json`, printJson(cut(model, date, '2099-01-01'))),
  );
  const result = generate({ ...source, files: [...source.files, ...versions] }, '../runtime/contract/kit.js');
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  writeFiles(generated, result.outputs);
  const sources = result.outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(generated, path));
  return { generated, sources };
}

/** Compiles without checking types, which takes a tenth of the time. */
export function compileAll(all: readonly BuiltService[]): void {
  const compiler = join(dirname(require.resolve('typescript/package.json', { paths: [ROOT] })), 'bin', 'tsc');
  const options = [
    ...['--ignoreConfig', '--module', 'nodenext', '--target', 'es2023'],
    ...['--noCheck', '--noResolve', '--isolatedModules', '--types', '', '--lib', 'es5'],
  ];
  spawnSync(process.execPath, [compiler, ...options, ...all.flatMap(({ sources }) => sources)], { cwd: ROOT });
}

const done = () => ({});
/** The functions of the small spec do nothing here. */
const handwritten = { behaviours: {}, actions: { sale: { ship: done, cancel: done } } };

/** The answers of the service. @param version the version that the requests name, or null */
export async function answers(
  { generated }: BuiltService,
  version: string | null,
  options: Partial<StartOptions> = {},
): Promise<readonly RecordedAnswer[]> {
  const service = await startService({ generated, handwritten: handwritten as never, ...options });
  try {
    return await answersIn(service, version);
  } finally {
    await service.stop();
  }
}

function answersIn(service: TestService, version: string | null): Promise<readonly RecordedAnswer[]> {
  return answersOf(service, version === null ? {} : { 'punchboard-version': version });
}
