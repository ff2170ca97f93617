// `punchboard gen`: reads a spec, writes the outputs and reports what it did.

import { join, relative } from 'node:path';
import { Option } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { genCommand, withProgramName } from '../../runtime/project/command-line.js';
import { BUILD_FOLDER, repositoryOf } from '../../runtime/project/compiled.js';
import { identitiesIn } from '../../runtime/project/identity.js';
import type { SpecSource } from '../check/project.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { type DiagnosticFormat, report } from '../diagnostics/formats.js';
import { shownPath } from '../diagnostics/print.js';
import { hash } from '../emit/output.js';
import { outputAt } from '../emit/outputs.js';
import { type Generation, generate } from '../generate.js';
import { type Cache, openCache } from '../write/cache.js';
import {
  checkTypes,
  compile,
  isCompiled,
  isOwnOutput,
  kitPath,
  markCompiled,
  ROOT,
  readIfThere,
  transpile,
  uncompiled,
} from '../write/compile.js';
import type { OutputState } from '../write/hand-edits.js';
import { generatorVersion } from '../write/installed.js';
import { MANIFEST, parseManifest } from '../write/manifest.js';
import { planWrites, type WritePlan, writeMergedManifest } from '../write/plan.js';
import { functionFiles, functionsPath, hashWithFunctions, readSpec } from '../write/read-spec.js';
import { watchSpec } from '../write/watch.js';
import { apply, matchesManifest } from '../write/write.js';
import { attempt, finish, formatOption, type Io, type Register, type Result } from './command.js';
import { withOutOption, withSpecOption } from './project.js';

interface Options extends GenOptions {
  readonly watch: boolean;
}

export const registerGen: Register = (program, io) => {
  withOutOption(
    withSpecOption(
      program.command('gen').description('generate code, tables and the API document from the descriptors'),
    ),
  )
    .option('--check', 'write nothing; list the files that are stale, and exit 1 if there are any', false)
    .option('--diff', 'with --check: print the diff of every stale file, not only of those that people read', false)
    .addOption(
      new Option('--watch', 'keep running, and regenerate when the spec folder changes')
        .default(false)
        .conflicts('check'),
    )
    .option('--force <file>', 'overwrite this generated file although it was edited by hand (repeatable)', append, [])
    .option('--stats', 'print how many files were written and how long it took, as on a terminal', false)
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 mistakes in the descriptors, hand-edited outputs, or stale outputs (--check); 2 wrong usage.',
    )
    .action((parsed: Options) => {
      const options = { ...parsed, colour: io.colour, stats: parsed.stats || io.stdout.isTTY === true };
      if (options.watch) keepRunning(options, io);
      else finish(gen(options), io);
    });
};

/** @param done called after each run, even if it had nothing to do */
export function keepRunning(
  options: Options,
  { stdout, stderr }: Io,
  done: (run: Run) => void = () => undefined,
): void {
  const cache = openGenCache(options);
  watchSpec(options.spec, {
    run() {
      const run = genWith({ ...options, stats: true, transpileFirst: true }, cache);
      done(run);
      return run;
    },
    say(run) {
      stdout.write(run.stdout);
      stderr.write(run.stderr);
      stdout.write(`Watching ${options.spec} for changes\n`);
    },
  });
}

function append(file: string, files: readonly string[]): readonly string[] {
  return [...files, file];
}

export interface GenOptions {
  readonly spec: string;
  readonly out: string;
  /** Write nothing, but report what would change. */
  readonly check: boolean;
  /** `check` prints the diff of every file, not only of those for people. */
  readonly diff?: boolean;
  /** Hand-edited generated files to overwrite, as paths relative to the working directory. */
  readonly force?: readonly string[];
  /** The server gets lifecycle functions and actions when it starts; otherwise they are in the spec folder, or are our own. */
  readonly handwritten?: boolean;
  /** Report how many files were written and how long it took. */
  readonly stats?: boolean;
  /** Changed code is first compiled without types, so that a waiting server can start, and then checked. */
  readonly transpileFirst?: boolean;
  /** Output format of the mistakes; text by default. */
  readonly format?: DiagnosticFormat;
  /** Whether text may have the colours of a terminal. */
  readonly colour?: boolean;
}

/** A result of gen, and the paths of the files that it wrote or removed. */
export interface Run extends Result {
  readonly written: readonly string[];
}

/** Runs the command; with mistakes in the spec nothing is written. Code 2: wrong usage. */
export function gen(options: GenOptions): Run {
  return genWith(options, openGenCache(options));
}

/** Opens what gen remembers about this spec and output folder, in their repository, or else in Punchboard's folder. */
function openGenCache({ spec, out }: GenOptions): Cache {
  const repository = repositoryOf(out);
  const isTheirs = repository !== null && repository !== ROOT;
  const root = isTheirs ? join(repository, BUILD_FOLDER, 'cache') : join(ROOT, 'node_modules', '.cache', 'punchboard');
  return openCache({ root, spec, out, version: generatorVersion() });
}

/** Like `gen`, with a cache that the caller keeps from run to run. */
export function genWith(options: GenOptions, cache: Cache): Run {
  const began = performance.now();
  const work = (): Run => {
    const read = cache.kept(readSpec(options.spec));
    const source: SpecSource = { ...read, ...(options.handwritten ? { code: 'given' } : {}) };
    // In a watch, the first run generates everything, so that later runs find unchanged results.
    if (options.transpileFirst !== true && isUpToDate(options, source, cache)) {
      return { code: 0, stdout: `Up to date.\n${statistics(options, [], began, 0)}`, stderr: '', written: [] };
    }
    const generation = generate(source, kitPath(options.out), cache.remember, functionsPath(options));
    const notes = mistakesText(generation.diagnostics, source, options);
    if (!generation.ok) return { code: 1, stdout: '', stderr: notes, written: [] };
    const plan = planWrites(options, generation);
    if (plan.refused !== null) {
      return { ...plan.refused, stderr: notes + withProgramName(plan.refused.stderr), written: [] };
    }
    if (options.check)
      return { ...checked(options, plan.changes, sourcesOf(generation, options.spec), notes), written: [] };
    return writeOutputs(options, { source, generation, plan, notes, began }, cache);
  };
  return { written: [], ...attempt(work) };
}

interface GenRun {
  readonly source: SpecSource;
  readonly generation: Extract<Generation, { ok: true }>;
  readonly plan: Extract<WritePlan, { refused: null }>;
  readonly notes: string;
  /** When the run began, on the clock of `performance`. */
  readonly began: number;
}

function writeOutputs(options: GenOptions, { source, generation, plan, notes, began }: GenRun, cache: Cache): Run {
  const { changes } = plan;
  const { out, spec } = options;
  const transpileFirst = options.transpileFirst === true && wasCompiled(options);
  writeMergedManifest(changes, out);
  apply(changes);
  const writtenAt = performance.now();
  const sources = sourcesOf(generation, spec);
  const codeHash = hashWithFunctions(generation.build.identity, spec);
  const result = compileOutputs(out, changes, { notes, codeHash, folder: cache.folder, sources, transpileFirst });
  const clean = result.code === 0 && generation.diagnostics.length === 0;
  cache.save(clean ? hashOfAll(options, source, hash(readIfThere(join(out, MANIFEST)) ?? '')) : null);
  const paths = changes.map(({ path }) => path);
  const stats = statistics(options, paths, began, performance.now() - writtenAt);
  return { ...result, stdout: result.stdout + stats, written: paths };
}

/** The code to compile: outputs, as paths below the output folder, and hand-written functions, as absolute paths. */
function sourcesOf({ outputs }: GenRun['generation'], spec: string): readonly string[] {
  const written = outputs.map(({ path }) => path).filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
  return [...written, ...functionFiles(spec)];
}

/** Whether everything that this run does not change is compiled: the last run's outputs, with the current functions. */
function wasCompiled({ spec, out }: GenOptions): boolean {
  const text = readIfThere(join(out, MANIFEST)) ?? '';
  const [identity = ''] = identitiesIn(text);
  const sources = [...(parseManifest(text)?.keys() ?? []), ...functionFiles(spec)];
  return isCompiled(out, sources, hashWithFunctions(identity, spec));
}

/** Whether the last run already gave this result: no text, file or option differs. */
function isUpToDate(options: GenOptions, source: SpecSource, cache: Cache): boolean {
  if (cache.upToDateHash === null || (options.force ?? []).length > 0) return false;
  const { out } = options;
  const manifest = readIfThere(join(out, MANIFEST)) ?? '';
  return (
    cache.upToDateHash === hashOfAll(options, source, hash(manifest)) &&
    wasCompiled(options) &&
    matchesManifest(out, parseManifest(manifest) ?? new Map())
  );
}

/** A hash of everything that a run reads and writes; the manifest represents the outputs that it lists. */
function hashOfAll({ spec, out }: GenOptions, { files, code }: SpecSource, manifestHash: string): string {
  const specOutputs = ['descriptor.schema.json', 'ledger.json'].map((file) => readIfThere(join(spec, file)));
  return hash(JSON.stringify([files, code, specOutputs, kitPath(out), functionsPath({ spec, out }), manifestHash]));
}

function mistakesText(
  diagnostics: readonly Diagnostic[],
  { files }: SpecSource,
  { spec, format, colour }: GenOptions,
): string {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const context = { diagnostics, texts, pathOf: shownPath(spec) };
  return diagnostics.length === 0 ? '' : report(format ?? 'text', context, colour === true);
}

function checked(
  options: GenOptions,
  changes: readonly OutputState[],
  sources: readonly string[],
  notes: string,
): Result {
  if (changes.length > 0) return stale(changes, notes, options);
  const list = staleCode(options.out, sources);
  if (list.length === 0) return { code: 0, stdout: 'Up to date.\n', stderr: notes };
  const files = list.length === 1 ? '1 compiled file is' : `${list.length} compiled files are`;
  return {
    code: 1,
    stdout: list.join(''),
    stderr: `${notes}${files} not of this build: run \`${commandFor(options)}\`.\n`,
  };
}

/** A line for each compiled file that is missing or stale. A folder may be without compiled code if that is kept elsewhere. */
function staleCode(out: string, sources: readonly string[]): readonly string[] {
  const files = uncompiled(out, sources);
  const hasNone = files.length === sources.length && files.every(({ state }) => state === 'missing');
  if (hasNone && !isOwnOutput(out)) return [];
  return files.map(({ path, state }) => `${state.padEnd(8)} ${relative('', path)}\n`);
}

function commandFor({ spec, out }: GenOptions): string {
  return isOwnOutput(out) ? 'npm run gen' : genCommand(spec, out);
}

function stale(changes: readonly OutputState[], notes: string, options: GenOptions): Result {
  const { out, diff } = options;
  const neverGenerated = changes.every(({ before }) => before === null);
  const list = neverGenerated
    ? `missing ${out}: ${changes.length} files, nothing has been generated yet\n`
    : listOf(changes);
  const patches = changes
    .filter(({ path }) => diff === true || (!neverGenerated && isReadByPeople(out, path)))
    .map(patch);
  const files = changes.length === 1 ? '1 file is' : `${changes.length} files are`;
  return {
    code: 1,
    stdout: [list, ...patches].join('\n'),
    stderr: `${notes}${files} stale: run \`${commandFor(options)}\` and commit.\n`,
  };
}

function listOf(changes: readonly OutputState[]): string {
  const state = ({ before, after }: OutputState): string =>
    before === null ? 'missing ' : after === null ? 'obsolete' : 'stale   ';
  return changes.map((change) => `${state(change)} ${change.path}\n`).join('');
}

function isReadByPeople(out: string, path: string): boolean {
  return outputAt(relative(out, path).replaceAll('\\', '/'))?.row.readers === 'people';
}

function patch({ path, before, after }: OutputState): string {
  const [from, to] = [before === null ? '/dev/null' : path, after === null ? '/dev/null' : path];
  return createTwoFilesPatch(from, to, before?.text ?? '', after?.text ?? '').replace(/^(Index: .*\n)?=+\n/, '');
}

interface Compilation {
  readonly notes: string;
  readonly codeHash: string;
  /** Folder for the compiler's state. */
  readonly folder: string;
  readonly sources: readonly string[];
  /** As in the options, if everything else is already compiled. */
  readonly transpileFirst: boolean;
}

function compileOutputs(out: string, changes: readonly OutputState[], compilation: Compilation): Result {
  const { notes, codeHash, folder, sources, transpileFirst } = compilation;
  if (changes.length === 0 && isCompiled(out, sources, codeHash))
    return { code: 0, stdout: 'Up to date.\n', stderr: notes };
  if (transpileFirst) {
    const changed = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : [path])));
    transpile(
      out,
      sources.filter((path) => changed.has(join(out, path))),
    );
    markCompiled(out, codeHash, false);
  }
  const mistakes = (transpileFirst ? checkTypes : compile)(out, sources, folder);
  const list = changes.map(({ path, before, after }) => `${verb(before, after)} ${path}\n`).join('');
  if (mistakes !== '') return { code: 1, stdout: list, stderr: `${notes}${mistakes}\n` };
  markCompiled(out, codeHash);
  return { code: 0, stdout: list || 'Up to date.\n', stderr: notes };
}

function verb(before: unknown, after: unknown): string {
  return before === null ? 'created' : after === null ? 'removed' : 'changed';
}

/** The line that `--stats` adds. @param compiler milliseconds that the compiler took, which do not count as gen's */
function statistics({ stats }: GenOptions, written: readonly string[], began: number, compiler: number): string {
  if (stats !== true) return '';
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
  const generator = performance.now() - began - compiler;
  return `written ${written.length}; gen ${seconds(generator)}, compiler ${seconds(compiler)}\n`;
}
