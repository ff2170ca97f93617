// The command `punchboard gen`: reads a spec, writes what follows from it, says what it did.

import { basename, join, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { type Generation, generate, type Source } from '../../compile-spec.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { type Format, report } from '../../diagnostics/formats/report.js';
import { shownPath } from '../../diagnostics/shown-path.js';
import { suggest } from '../../diagnostics/suggest.js';
import { hash, hashed } from '../../emit/output.js';
import { type Cache, openCache } from '../../write/cache.js';
import { compile, isCompiled, kitPath, markCompiled, ROOT } from '../../write/compile.js';
import { handEdits, refusal, type Standing, strangers, strangersRefusal } from '../../write/hand-edits.js';
import { MANIFEST, manifestText } from '../../write/manifest.js';
import {
  apply,
  compiledStrangers,
  readManifest,
  readSpec,
  standings,
  textOf,
  UnreadableSpec,
  write,
} from '../../write/read-spec.js';
import { generatorVersion } from '../../write/version.js';
import type { Result } from '../command.js';

export interface GenOptions {
  readonly spec: string;
  readonly out: string;
  /** Write nothing; tell what would change. */
  readonly check: boolean;
  /** Generated files that are overwritten though a hand has edited them, as paths from here. */
  readonly force?: readonly string[];
  /** Lifecycle functions and actions are given to the server when it starts; else they must be ours. */
  readonly handwritten?: boolean;
  /** Tell what work was done and how long it took. */
  readonly stats?: boolean;
  /** How mistakes are told; text unless given. */
  readonly format?: Format;
  /** Text may have the colours of a terminal. */
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

/** What gen remembers of this spec and output folder. */
export function openGenCache({ spec, out }: GenOptions): Cache {
  const root = join(ROOT, 'node_modules', '.cache', 'punchboard');
  return openCache({ root, spec, out, version: generatorVersion() });
}

/** The same with a cache that the caller keeps from run to run. */
export function genWith(options: GenOptions, cache: Cache): Run {
  const began = performance.now();
  try {
    const source: Source = { ...readSpec(options.spec), ...(options.handwritten ? { code: 'given' } : {}) };
    if (isUpToDate(options, source, cache)) {
      return { code: 0, stdout: `Up to date.\n${figures(options, [], began, 0)}`, stderr: '', written: [] };
    }
    const generation = generate(source, kitPath(options.out), cache.remember);
    const notes = told(generation.diagnostics, source, options);
    if (!generation.ok) return { code: 1, stdout: '', stderr: notes, written: [] };
    const planned = plan(options, generation);
    if (planned.refused !== null) {
      return { ...planned.refused, stderr: notes + planned.refused.stderr, written: [] };
    }
    if (options.check) return { ...stale(planned.changes, notes), written: [] };
    return written(options, { generation, planned, notes, began }, cache);
  } catch (error) {
    if (error instanceof UnreadableSpec) {
      return { code: error.code, stdout: '', stderr: `${error.message}\n`, written: [] };
    }
    throw error;
  }
}

interface Work {
  readonly generation: Extract<Generation, { ok: true }>;
  readonly planned: Extract<Plan, { refused: null }>;
  readonly notes: string;
  /** When the run began, on the clock of `performance`. */
  readonly began: number;
}

function written(options: GenOptions, { generation, planned, notes, began }: Work, cache: Cache): Run {
  const { changes, listed } = planned;
  const { out } = options;
  listBoth(changes, out);
  apply(changes);
  const made = performance.now();
  const sources = generation.outputs.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  const result = compiled(out, changes, { notes, listed, folder: cache.folder, sources });
  const clean = result.code === 0 && generation.diagnostics.length === 0;
  cache.save(clean ? stampOf(options, readSpec(options.spec)) : null);
  const paths = changes.map(({ path }) => path);
  const stats = figures(options, paths, began, performance.now() - made);
  return { ...result, stdout: result.stdout + stats, written: paths };
}

/** Whether the last run left everything as it is now: no text, file or option differs. */
function isUpToDate(options: GenOptions, source: Source, cache: Cache): boolean {
  if (cache.stamp === null || (options.force ?? []).length > 0) return false;
  const manifest = textOf(join(options.out, MANIFEST));
  return isCompiled(options.out, hash(manifest)) && cache.stamp === stampOf(options, source);
}

/** A hash of all that a run reads: the spec, and every output as it is on disk. */
function stampOf({ spec, out }: GenOptions, source: Source): string {
  const outputs = [...(readManifest(out)?.keys() ?? [])].map((path) => [path, textOf(join(out, path))]);
  const own = [join(spec, 'descriptor.schema.json'), join(out, MANIFEST)].map(textOf);
  return hash(JSON.stringify([source, kitPath(out), own, outputs]));
}

function told(diagnostics: readonly Diagnostic[], { files }: Source, { spec, format, colour }: GenOptions): string {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const told = { diagnostics, texts, pathOf: shownPath(spec) };
  return diagnostics.length === 0 ? '' : report(format ?? 'text', told, colour === true);
}

type Plan =
  | { readonly refused: Result }
  | {
      readonly refused: null;
      readonly changes: readonly Standing[];
      /** Hash of the manifest that is to be. */
      readonly listed: string;
    };

function plan(options: GenOptions, generation: Extract<Generation, { ok: true }>): Plan {
  const { spec, out, force = [] } = options;
  const manifest = readManifest(out);
  const files = standings(out, generation.outputs, manifest);
  const name = (path: string): string => join(out, path);
  const listed = hashed({ path: MANIFEST, text: manifestText(generation.outputs) });
  const ofManifest = standings(out, [listed], new Map());
  const strange = [
    ...strangers([...files, ...ofManifest], manifest),
    ...compiledStrangers(
      out,
      files.map(({ path }) => path).filter((path) => !manifest?.has(path)),
    ),
  ];
  const known = new Map(
    [...files.map(({ path }) => path), ...strange].map((path) => [resolve(name(path)), name(path)]),
  );
  const refuse = (code: 1 | 2, stderr: string): Plan => ({ refused: { code, stdout: '', stderr } });
  const unknown = unknownNames(force, known);
  if (unknown !== '') return refuse(2, unknown);
  const forced = new Set(force.map((path) => resolve(path)));
  const inTheWay = strange.filter((path) => !forced.has(resolve(name(path))));
  if (inTheWay.length > 0) return refuse(1, strangersRefusal(inTheWay, out, name));
  const edits = handEdits(files, manifest).filter(({ path }) => !forced.has(resolve(name(path))));
  if (edits.length > 0) return refuse(1, refusal(edits, basename(resolve(spec)), name));
  // The manifest is the last to be written: a gen that was killed before is finished by the next.
  const changes = [
    ...inFolder(spec, standings(spec, generation.specOutputs, new Map())),
    ...inFolder(out, [...files, ...ofManifest]),
  ].filter(({ before, after }) => before?.hash !== after?.hash);
  return { refused: null, changes, listed: listed.hash };
}

/** Until all is written, a file may be either text: a gen that was killed is finished by the next, whatever that makes. */
function listBoth(changes: readonly Standing[], out: string): void {
  const manifest = changes.find(({ path }) => path === join(out, MANIFEST));
  if (manifest?.after) write(manifest.path, (manifest.before?.text ?? '') + manifest.after.text);
}

/** What `--force` names and gen has nothing to do with; empty when there is no such name. */
function unknownNames(force: readonly string[], known: ReadonlyMap<string, string>): string {
  const strange = force.filter((path) => !known.has(resolve(path)));
  return strange
    .map((path) => {
      const meant = suggest(path, known.values());
      const hint = meant === null ? '' : `; did you mean ${meant}?`;
      return `--force ${path}: gen makes no such file${hint}\n`;
    })
    .join('');
}

function inFolder(folder: string, changes: readonly Standing[]): readonly Standing[] {
  return changes.map((change) => ({ ...change, path: join(folder, change.path) }));
}

function stale(changes: readonly Standing[], notes: string): Result {
  if (changes.length === 0) return { code: 0, stdout: 'Up to date.\n', stderr: notes };
  const patches = changes.map(({ path, before, after }) =>
    createTwoFilesPatch(
      before === null ? '/dev/null' : path,
      after === null ? '/dev/null' : path,
      before?.text ?? '',
      after?.text ?? '',
    ),
  );
  const files = changes.length === 1 ? '1 file is' : `${changes.length} files are`;
  return {
    code: 1,
    stdout: patches.join(''),
    stderr: `${notes}${files} stale: run \`npm run gen\` and commit.\n`,
  };
}

function compiled(
  out: string,
  changes: readonly Standing[],
  { notes, listed, folder, sources }: { notes: string; listed: string; folder: string; sources: readonly string[] },
): Result {
  if (changes.length === 0 && isCompiled(out, listed)) return { code: 0, stdout: 'Up to date.\n', stderr: notes };
  const mistakes = compile(out, sources, folder);
  const said = changes.map(({ path, before, after }) => `${verb(before, after)} ${path}\n`).join('');
  if (mistakes !== '') return { code: 1, stdout: said, stderr: `${notes}${mistakes}\n` };
  markCompiled(out, listed);
  return { code: 0, stdout: said || 'Up to date.\n', stderr: notes };
}

function verb(before: unknown, after: unknown): string {
  return before === null ? 'made   ' : after === null ? 'removed' : 'changed';
}

/** What `--stats` adds. @param compiler its milliseconds, which are not gen's own */
function figures({ stats }: GenOptions, written: readonly string[], began: number, compiler: number): string {
  if (stats !== true) return '';
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
  const own = performance.now() - began - compiler;
  return `written ${written.length}; gen ${seconds(own)}, compiler ${seconds(compiler)}\n`;
}
