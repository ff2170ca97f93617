// What a run of gen would change on disk, and what stands in its way: hand edits, and files that gen did not write.

import { basename, join, resolve } from 'node:path';
import { suggest } from '../diagnostics/suggest.js';
import type { Generation } from '../emit/generate.js';
import { hashed } from '../emit/output.js';
import { handEdits, refusal, type Standing, strangers, strangersRefusal } from './hand-edits.js';
import { MANIFEST, manifestText } from './manifest.js';
import { compiledStrangers, readManifest, standings, write } from './write.js';

/** Where gen reads and writes. */
interface Target {
  readonly spec: string;
  readonly out: string;
  /** Generated files that are overwritten though a hand has edited them, as paths from here. */
  readonly force?: readonly string[];
}

/** What gen is to write, or why it writes nothing. */
export type WritePlan =
  | { readonly refused: { readonly code: 1 | 2; readonly stdout: ''; readonly stderr: string } }
  | {
      readonly refused: null;
      readonly changes: readonly Standing[];
      /** Hash of the manifest that is to be. */
      readonly listed: string;
    };

export function planWrites(
  { spec, out, force = [] }: Target,
  generation: Extract<Generation, { ok: true }>,
): WritePlan {
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
  const refuse = (code: 1 | 2, stderr: string): WritePlan => ({ refused: { code, stdout: '', stderr } });
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
export function listBoth(changes: readonly Standing[], out: string): void {
  const manifest = changes.find(({ path }) => path === join(out, MANIFEST));
  if (manifest?.after) write(manifest.path, (manifest.before?.text ?? '') + manifest.after.text);
}

/** A line for each file of `--force` that gen does not generate; empty when there is none. */
function unknownNames(force: readonly string[], known: ReadonlyMap<string, string>): string {
  const strange = force.filter((path) => !known.has(resolve(path)));
  return strange
    .map((path) => {
      const meant = suggest(path, known.values());
      const hint = meant === null ? '' : `; did you mean ${meant}?`;
      return `--force ${path}: gen does not generate this file${hint}\n`;
    })
    .join('');
}

function inFolder(folder: string, changes: readonly Standing[]): readonly Standing[] {
  return changes.map((change) => ({ ...change, path: join(folder, change.path) }));
}
