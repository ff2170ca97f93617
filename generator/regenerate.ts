// A run of gen that knows the runs before it: where nothing at all has changed, nothing is looked at. Text in, text out.

import type { Desk } from './desk.js';
import type { Diagnostic } from './diagnostics/diagnostic.js';
import { type Generation, generate, type Source } from './generate.js';
import { hashed, knownOutput, type Output } from './output.js';
import type { KitPath } from './render.js';
import { keyOf } from './stable-text.js';

type Made = Omit<Extract<Generation, { ok: true }>, 'model'>;
/** What gen writes by; the model stays behind. */
export type Regeneration = Made | Extract<Generation, { ok: false }>;

/** The same as `generate`, from what the desk remembers as far as it does. */
export function regenerate(source: Source, kit: KitPath, desk: Desk): Regeneration {
  const key = keyOf(source, kit);
  const known = desk.memo.recall('run', key);
  if (known !== null) return recalled(JSON.parse(known) as Remembered, () => generate(source, kit, desk));
  const made = generate(source, kit, desk);
  if (made.ok) desk.memo.keep('run', key, JSON.stringify(toRemember(made)));
  return made;
}

type Hashes = readonly (readonly [path: string, hash: string])[];

interface Remembered {
  readonly diagnostics: readonly Diagnostic[];
  readonly outputs: Hashes;
  readonly specOutputs: Hashes;
}

function toRemember({ diagnostics, outputs, specOutputs }: Made): Remembered {
  return { diagnostics, outputs: hashes(outputs), specOutputs: hashes(specOutputs) };
}

function hashes(outputs: readonly Output[]): Hashes {
  return outputs.map((output) => [output.path, hashed(output).hash]);
}

function recalled({ diagnostics, outputs, specOutputs }: Remembered, again: () => Generation): Made {
  let made: Generation | null = null;
  const text = (path: string, of: 'outputs' | 'specOutputs'): string => {
    made ??= again();
    const found = made.ok ? made[of].find((output) => output.path === path) : undefined;
    if (found === undefined) throw new Error(`${path} is remembered but not made: the memo's key says too little`);
    return found.text;
  };
  return {
    ok: true,
    diagnostics,
    outputs: outputs.map(([path, hash]) => knownOutput(path, hash, () => text(path, 'outputs'))),
    specOutputs: specOutputs.map(([path, hash]) => knownOutput(path, hash, () => text(path, 'specOutputs'))),
  };
}
