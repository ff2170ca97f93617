// Plans what a run of gen changes on disk, or refuses because of hand edits or files that gen did not write.

import { basename, join, relative, resolve } from 'node:path';
import { suggest } from '../diagnostics/suggest.js';
import { type GeneratedFiles, withHash } from '../emit/output.js';
import { readIfThere } from './compile.js';
import { foreignFiles, foreignFilesRefusal, handEdits, handEditsRefusal, type OutputState } from './hand-edits.js';
import { MANIFEST, manifestText, mergedFiles } from './manifest.js';
import { isOwnSpec } from './read-spec.js';
import { foreignCompiledFiles, outputStates, readManifest, write } from './write.js';

/** Where gen reads and writes. */
interface WriteTarget {
  readonly spec: string;
  readonly out: string;
  /** Hand-edited generated files to overwrite, as paths relative to the working directory. */
  readonly force?: readonly string[];
}

/** What gen will write, or why it writes nothing. */
export type WritePlan =
  | { readonly refused: { readonly code: 1 | 2; readonly stdout: ''; readonly stderr: string } }
  | {
      readonly refused: null;
      readonly changes: readonly OutputState[];
    };

export function planWrites({ spec, out, force = [] }: WriteTarget, generation: GeneratedFiles): WritePlan {
  const manifest = readManifest(out);
  const outputs = generation.outputs.map((output) => withHash(output));
  const files = outputStates(out, outputs, manifest);
  const name = (path: string): string => join(out, path);
  const head = { build: generation.build.identity, spec: relative(resolve(out), resolve(spec)).replaceAll('\\', '/') };
  const newManifest = withHash({ path: MANIFEST, text: manifestText(outputs, head) });
  const ofManifest = outputStates(out, [newManifest], new Map());
  const foreign = [
    ...foreignFiles([...files, ...ofManifest], manifest),
    ...foreignCompiledFiles(
      out,
      files.flatMap(({ path, before }) => (before === null && !manifest?.has(path) ? [path] : [])),
    ),
  ];
  const names = new Map(
    [...files.map(({ path }) => path), ...foreign].map((path) => [resolve(name(path)), name(path)]),
  );
  const refuse = (code: 1 | 2, stderr: string): WritePlan => ({ refused: { code, stdout: '', stderr } });
  const unknown = unknownNames(force, names);
  if (unknown !== '') return refuse(2, unknown);
  const forced = new Set(force.map((path) => resolve(path)));
  const blocking = foreign.filter((path) => !forced.has(resolve(name(path))));
  if (blocking.length > 0) return refuse(1, foreignFilesRefusal(blocking, out, name));
  const merged = mergedFiles(readIfThere(join(out, MANIFEST)) ?? '');
  const edits = handEdits(files, manifest, merged).filter(({ path }) => !forced.has(resolve(name(path))));
  if (edits.length > 0)
    return refuse(1, handEditsRefusal(edits, { spec: basename(resolve(spec)), isOwn: isOwnSpec(spec) }, name));
  // The manifest is written last: if gen is killed before that, the next run finishes its work.
  const changes = [
    ...inFolder(
      spec,
      outputStates(
        spec,
        generation.specOutputs.map((output) => withHash(output)),
        new Map(),
      ),
    ),
    ...inFolder(out, [...files, ...ofManifest]),
  ].filter(({ before, after }) => before?.hash !== after?.hash);
  return { refused: null, changes };
}

/** Lists the old and the new hash of each file until all are written, so that the next run can finish a killed one. */
export function writeMergedManifest(changes: readonly OutputState[], out: string): void {
  const manifest = changes.find(({ path }) => path === join(out, MANIFEST));
  if (manifest?.after) write(manifest.path, (manifest.before?.text ?? '') + manifest.after.text);
}

/** A line for each file of `--force` that gen does not generate; empty if there is none. */
function unknownNames(force: readonly string[], known: ReadonlyMap<string, string>): string {
  const foreign = force.filter((path) => !known.has(resolve(path)));
  return foreign
    .map((path) => {
      const suggestion = suggest(path, known.values());
      const hint = suggestion === null ? '' : `; did you mean ${suggestion}?`;
      return `--force ${path}: gen does not generate this file${hint}\n`;
    })
    .join('');
}

function inFolder(folder: string, changes: readonly OutputState[]): readonly OutputState[] {
  return changes.map((change) => ({ ...change, path: join(folder, change.path) }));
}
