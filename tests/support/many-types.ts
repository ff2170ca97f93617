// The project's spec with a given number of types: copies its component types under new names, or leaves types out.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { fewerTypes } from './fewer-types.js';
import { ROOT } from './paths.js';

/** Types that belong to a game and that nothing else refers to, so that copies do not affect other types. */
const COPIED = [
  'boxtop',
  'twosidedbox',
  'customcolord6',
  'customcuttwosidedslugged',
  'customwoodd6',
  'scorepad',
] as const;

/** Books and their pages, which only name each other. */
const BOOKS = [
  ...['booklet', 'bookletpage', 'coilbook', 'coilbookpage'],
  ...['perfectboundbook', 'perfectboundbookpage'],
];

/**
 * Writes a spec folder of `total` types, at least 25.
 * @returns the names of the copies
 */
export function manyTypes(folder: string, total: number): readonly string[] {
  cpSync(join(ROOT, 'spec'), folder, { recursive: true });
  const files = readdirSync(join(folder, 'resources'));
  const existing = files.length;
  for (const file of dispensable(folder, files).slice(0, Math.max(0, existing - total)))
    rmSync(join(folder, 'resources', file));
  return Array.from({ length: Math.max(0, total - existing) }, (_, at) => {
    const name = COPIED[at % COPIED.length] ?? COPIED[0];
    const copy = `${name}n${Math.floor(at / COPIED.length) + 1}`;
    const text = readFileSync(join(ROOT, 'spec', 'resources', `${name}.yaml`), 'utf8');
    writeFileSync(join(folder, 'resources', `${copy}.yaml`), renamed(text, copy.slice(name.length)));
    return copy;
  });
}

/** Types that can be left out, in an order in which any number of them can be. */
function dispensable(folder: string, files: readonly string[]): readonly string[] {
  const sources = [...files.map((file) => `resources/${file}`), ...['conventions.yaml', 'events.yaml']].map((path) => ({
    path: `spec/${path}`,
    text: readFileSync(join(folder, path), 'utf8'),
  }));
  const needed = fewerTypes(sources, ['boxtop']).map(({ path }) => path);
  return [
    ...files.filter((file) => !needed.includes(`spec/resources/${file}`)),
    ...BOOKS.map((name) => `${name}.yaml`),
  ];
}

/** Identities and paths get a suffix, since names of lists and paths must be unique; the original keeps its old names. */
function renamed(text: string, suffix: string): string {
  const { identities, old_names: _oldNames, paths, ...rest } = parse(text) as Readonly<Record<string, unknown>>;
  const keys = {
    ...rest,
    ...(identities === undefined ? {} : { identities: withSuffix(identities, suffix.toUpperCase()) }),
    ...(paths === undefined ? {} : { paths: { all: `${(paths as { readonly all: string }).all}${suffix}` } }),
  };
  return stringify(keys);
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
