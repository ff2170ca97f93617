// The project's spec with as many types as asked for: its component types copied under new names.

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
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

/** Identities and paths get a suffix, since names of lists and paths are taken once; old names stay with the first. */
function renamed(text: string, suffix: string): string {
  const { identities, old_names: _oldNames, paths, ...rest } = parse(text) as Readonly<Record<string, unknown>>;
  const own = {
    ...rest,
    ...(identities === undefined ? {} : { identities: withSuffix(identities, suffix.toUpperCase()) }),
    ...(paths === undefined ? {} : { paths: { all: `${(paths as { readonly all: string }).all}${suffix}` } }),
  };
  return stringify(own);
}

function withSuffix(identities: unknown, suffix: string): unknown {
  if (Array.isArray(identities)) return identities.map((name) => `${name}${suffix}`);
  return Object.fromEntries(
    Object.entries(identities as object).map(([name, attributes]) => {
      const { list: _list, ...rest } = typeof attributes === 'object' ? attributes : { size: attributes };
      return [`${name}${suffix}`, rest];
    }),
  );
}
