// The project's spec with as many types as asked for: its component types copied under new names.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.js';

/** Types that nothing else refers to and that hang on a game: a copy of one disturbs no other. */
const COPIED = [
  'boxtop',
  'twosidedbox',
  'customcolord6',
  'customcuttwosidedslugged',
  'customwoodd6',
  'scorepad',
] as const;

/**
 * Writes a spec folder of `total` types.
 * @returns the names of the copies
 */
export function manyTypes(folder: string, total: number): readonly string[] {
  cpSync(join(ROOT, 'spec'), folder, { recursive: true });
  const own = readdirSync(join(folder, 'resources')).length;
  return Array.from({ length: Math.max(0, total - own) }, (_, at) => {
    const name = COPIED[at % COPIED.length] ?? COPIED[0];
    const copy = `${name}n${Math.floor(at / COPIED.length) + 1}`;
    const text = readFileSync(join(ROOT, 'spec', 'resources', `${name}.yaml`), 'utf8');
    writeFileSync(join(folder, 'resources', `${copy}.yaml`), renamed(text, copy.slice(name.length)));
    return copy;
  });
}

/** Names of the resource, its plural, its lists and its path all end with the suffix. */
function renamed(text: string, suffix: string): string {
  return text
    .replace(/^(resource|plural): (\w+)$/gm, `$1: $2${suffix}`)
    .replace(/^( {6}\w+): (?=\{ where: )/gm, `$1${suffix}: `)
    .replace(/^paths: \{ all: \/(\w+) \}$/gm, `paths: { all: /$1${suffix} }`);
}
