// The command `punchboard gen`: reads a spec, writes what follows from it, says what it did.

import { basename, join, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { type Cache, openCache } from './cache.js';
import type { Result } from './commands/command.js';
import { compile, isCompiled, kitPath, markCompiled, ROOT } from './compile.js';
import { createDesk, type Work } from './desk.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import { type Format, report } from './diagnostics/formats/report.js';
import { suggest } from './diagnostics/suggest.js';
import type { Source } from './generate.js';
import { handEdits, refusal, type Standing, strangers, strangersRefusal } from './hand-edits.js';
import { apply, compiledStrangers, readManifest, readSpec, standings, UnreadableSpec, write } from './io.js';
import { MANIFEST, manifestText } from './manifest.js';
import { hashed } from './output.js';
import { type Regeneration, regenerate } from './regenerate.js';
import { shownPath } from './shown-path.js';
import { generatorVersion } from './version.js';

export interface GenOptions {
  readonly spec: string;
  readonly out: string;
  /** Write nothing; tell what would change. */
  readonly check: boolean;
  /** Generated files that are overwritten though a hand has edited them, as paths from here. */
  readonly force?: readonly string[];
  /** Tell what work was done and how long it took. */
  readonly stats?: boolean;
  /** How mistakes are told; text unless given. */
  readonly format?: Format;
  /** Text may have the colours of a terminal. */
  readonly colour?: boolean;
}

/** A result of gen and what it cost. */
export interface Run extends Result {
  readonly work: Work;
}

/** Runs the command; with mistakes in the spec nothing is written. Code 2: wrong usage. */
export function gen(options: GenOptions): Run {
  return genWith(options, openGenCache(options));
}

/** What gen remembers of this spec and output folder. */
export function openGenCache({ spec, out }: GenOptions): Cache {
  const root = join(ROOT, 'node_modules', '.cache', 'punchboard');
  return openCache({ root, spec, out, version: generatorVersion(), now: Date.now });
}

/** The same with a cache that the caller keeps from run to run. */
export function genWith(options: GenOptions, cache: Cache): Run {
  const desk = createDesk(cache.memo);
  const { work } = desk;
  const began = performance.now();
  try {
    const source = readSpec(options.spec);
    const generation = regenerate(source, kitPath(options.out), desk);
    const notes = told(generation.diagnostics, source, options);
    if (!generation.ok) return { code: 1, stdout: '', stderr: notes, work };
    const planned = plan(options, generation, cache);
    if (planned.refused !== null) return { ...planned.refused, stderr: notes + planned.refused.stderr, work };
    const { changes, listed } = planned;
    if (options.check) return { ...stale(changes, notes), work };
    listBoth(changes, options.out);
    apply(changes, cache.hashes);
    work.written.push(...changes.map(({ path }) => path));
    // Who rendered the API document asked for all there is.
    cache.save(work.rendered.includes('openapi.json'));
    const made = performance.now();
    const sources = generation.outputs.map(({ path }) => path).filter((path) => path.endsWith('.ts'));
    const result = compiled(options.out, changes, { notes, listed, folder: cache.folder, sources });
    if (!options.stats) return { ...result, work };
    const [own, compiler] = [made - began, performance.now() - made];
    return { ...result, stdout: result.stdout + figures(work, own, compiler), work };
  } catch (error) {
    if (error instanceof UnreadableSpec) return { code: error.code, stdout: '', stderr: `${error.message}\n`, work };
    throw error;
  }
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

function plan(options: GenOptions, generation: Extract<Regeneration, { ok: true }>, { hashes }: Cache): Plan {
  const { spec, out, force = [] } = options;
  const manifest = readManifest(out);
  const files = standings(out, generation.outputs, manifest, hashes);
  const name = (path: string): string => join(out, path);
  const listed = hashed({ path: MANIFEST, text: manifestText(generation.outputs) });
  const ofManifest = standings(out, [listed], new Map(), hashes);
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
    ...inFolder(spec, standings(spec, generation.specOutputs, new Map(), hashes)),
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

/** @param own milliseconds without the compiler @param compiler its milliseconds */
function figures({ parsed, rendered, written }: Work, own: number, compiler: number): string {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
  const counts = `parsed ${parsed.length}, rendered ${rendered.length}, written ${written.length}`;
  return `${counts}; gen ${seconds(own)}, compiler ${seconds(compiler)}\n`;
}
