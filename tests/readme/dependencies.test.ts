// CONTRIBUTING.md lists what an installation contains: each dependency with the packages that it needs, by the lock file.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

type Packages = Readonly<
  Record<
    string,
    {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    }
  >
>;

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Packages;
};
const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const direct = Object.keys(packages['']?.dependencies ?? {});

/** Where Node finds a package for another one: beside it, or further up. */
function placeOf(name: string, from: string): string {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (packages[place] !== undefined) return place;
  if (from === '') throw new Error(`${name} is not in the lock file`);
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

/** The packages with everything that they need. */
function withDependencies(names: readonly string[]): ReadonlySet<string> {
  const collected = new Set<string>();
  const add = (place: string): void => {
    if (collected.has(place)) return;
    collected.add(place);
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) add(placeOf(name, place));
  };
  for (const name of names) add(placeOf(name, ''));
  return collected;
}

test('CONTRIBUTING.md lists every dependency with the packages that it needs', () => {
  const [, table = ''] = /^\| Package \| With what it needs .*\n\|---.*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) \| (\d+) \|/gm)].map(([, names = '', number]) => ({
    names: names.split(', '),
    number: Number(number),
  }));
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...direct].sort());
  expect(rows.filter(({ names, number }) => withDependencies(names).size !== number)).toEqual([]);
});

test('CONTRIBUTING.md gives the number of packages in total and of the two pinned dependencies', () => {
  const [all, fixed] = [direct, ['express', 'better-sqlite3']].map((names) => withDependencies(names).size);
  expect(text).toContain(
    `An installation brings ${all} packages. Express and better-sqlite3, which are fixed, have ${fixed} of them;`,
  );
});
