// The index of the rows S1 to S42: each is named by a test that runs, and explained in the module's README.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths.js';

const ROWS = Array.from({ length: 42 }, (_, index) => `S${index + 1}`);
const FOLDERS = ['webhooks', 'cli'];

/**
 * Settings that the rows speak of and that are not built, for want of two users of each: rows are tested by what
 * holds without them. Kept here so that whoever builds one knows where it belongs.
 */
const NOT_BUILT: Readonly<Record<string, string>> = {
  S7: 'a second mail after a reset: the words of the document allow one',
  S19: 'a pause while every receiver fails at once: our own faults are told apart one by one',
  S33: 'jitter: delays differ by their counts already',
  S34: 'a least time between attempts of a failing hook: the document counts every failure',
};

/** A call whose first argument is text and whose second is a function: a test, or a group of them. */
const TITLED = /\(\s*(['"`])((?:(?!\1).)*)\1,\s*(?:async\s*)?(?:\w+\s*=>|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*=>)/g;

/** Titles of tests that name rows. */
function titles(source: string): readonly string[] {
  return [...source.matchAll(TITLED)].map(([, , title]) => title ?? '').filter((title) => /\bS\d+\b/.test(title));
}

function named(all: readonly string[]): ReadonlySet<string> {
  return new Set(all.flatMap((title) => title.match(/\bS\d+\b/g) ?? []));
}

const SOURCES = FOLDERS.flatMap((folder) => {
  const path = join(ROOT, 'tests', folder);
  const files = readdirSync(path).filter((file) => file.endsWith('.test.ts') && file !== 'semantics.test.ts');
  return files.map((file) => readFileSync(join(path, file), 'utf8'));
});
const README = readFileSync(join(ROOT, 'runtime', 'webhooks', 'README.md'), 'utf8');

describe('every row', () => {
  const found = named(SOURCES.flatMap(titles));
  test.each(ROWS)('%s is named by a test', (row) => expect(found).toContain(row));

  test('NoOtherRowIsNamed', () => expect([...found].filter((row) => !ROWS.includes(row))).toEqual([]));

  test('IsExplained', () => {
    const explained = [...README.matchAll(/^\| (S\d+) \|/gm)].map(([, row]) => row);
    expect(explained).toEqual(ROWS);
  });

  test('SettingsThatAreNotBuiltAreOnesOfRows', () => {
    expect(Object.keys(NOT_BUILT).filter((row) => !ROWS.includes(row))).toEqual([]);
  });
});

describe('titles', () => {
  test('FindsTestsAndTablesOfTests', () => {
    const source = `
      test('S1 plain', () => {});
      test.each([1])('S2 and S3 %p', async (one) => {});
      test('S4/Slash', async () => {});
      always('S5 own', (of) => true);
      expect('S6 value', value);
      describe('S7 group', () => {});
      // test S8
      test('none', () => {});`;
    expect([...named(titles(source))]).toEqual(['S1', 'S2', 'S3', 'S4', 'S5', 'S7']);
  });
});
