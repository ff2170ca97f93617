// The tables of keys in spec/README.md match the language: PUNCHBOARD_UPDATE_PAGE=1 rewrites them.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIELD_KEYS, IDENTITY_ATTRIBUTES } from '../../generator/language/field-keys.js';
import type { Keywords } from '../../generator/language/keywords.js';
import { RESOURCE_KEYS, RESOURCE_REQUIRED, SHARED_KEYS } from '../../generator/language/resource-keys.js';
import { KINDS, kindsWith } from '../../generator/model/kinds/kinds.js';
import { ROOT } from '../support/paths.js';

const PAGE = join(ROOT, 'spec', 'README.md');

/** Words in the meaning of a key that link to a section of the page. */
const LINKS: Readonly<Record<string, string>> = {
  'a map from each to its attributes': 'identities-and-values',
  'the catalogue': 'the-catalogue',
  'Hand-written functions': 'functions-written-by-hand',
};

function row(...cells: readonly string[]): string {
  const linked = Object.entries(LINKS).reduce(
    (text, [words, section]) => text.replace(words, `[${words}](#${section})`),
    cells.at(-1) ?? '',
  );
  return `| ${[...cells.slice(0, -1), linked].join(' | ')} |`;
}

function noteOf(key: string): string {
  if ((RESOURCE_REQUIRED as readonly string[]).includes(key)) return 'yes';
  return Object.hasOwn(SHARED_KEYS, key) ? 'shared' : '';
}

/** The kinds that have a key, in the shorter of two wordings. */
function kindsText(key: string): string {
  const having = kindsWith(key);
  const others = KINDS.filter((kind) => !having.includes(kind));
  if (others.length === 0) return 'all';
  const [positive, negative] = [having.join(', '), `all but ${others.join(', ')}`];
  return positive.length <= negative.length ? positive : negative;
}

/** The values of a key, as far as a few words can describe them. */
function valueText({ type, enum: values, title, pattern, format, if: condition, ...limits }: Keywords): string {
  if (condition !== undefined) return 'list or map';
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(' ');
  if (format === 'date') return 'date';
  if (pattern !== undefined)
    return String(title)
      .replace(/^a (name) \(.*?\)/, '$1')
      .replace(/<.*>/, '`$&`');
  if (limits.maximum !== undefined) return `${limits.minimum} to ${limits.maximum}`;
  return WORDS[String(type)] ?? 'any';
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true, false',
  number: 'number',
  integer: 'whole number',
  array: 'list',
  object: 'map',
};

/** The rows of each table, by the line of its head. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  '| key | | meaning |': Object.entries(RESOURCE_KEYS as Readonly<Record<string, Keywords>>).map(
    ([key, { description }]) => row(`\`${key}\``, noteOf(key), String(description)),
  ),
  '| key | kinds | value | meaning |': Object.entries(FIELD_KEYS).map(([key, { schema, description }]) =>
    row(`\`${key}\``, kindsText(key), valueText(schema), description),
  ),
  '| attribute | meaning |': Object.entries(IDENTITY_ATTRIBUTES).map(([key, { description }]) =>
    row(`\`${key}\``, String(description)),
  ),
};

/** The page with these rows below the head of their table. */
function withTable(page: string, head: string, rows: readonly string[]): string {
  const lines = page.split('\n');
  const at = lines.indexOf(head);
  const length = lines.slice(at + 2).findIndex((line) => !line.startsWith('|'));
  return [...lines.slice(0, at + 2), ...rows, ...lines.slice(at + 2 + length)].join('\n');
}

test.each(Object.entries(TABLES))('the table headed %s matches the language', (head, rows) => {
  const page = readFileSync(PAGE, 'utf8');
  expect(page.split('\n').filter((line) => line === head)).toHaveLength(1);
  const expected = withTable(page, head, rows);
  if (process.env.PUNCHBOARD_UPDATE_PAGE === '1') writeFileSync(PAGE, expected);
  else expect(page).toBe(expected);
});

test('a row that differs is reported', () => {
  const page = '| a | b |\n|---|---|\n| `x` | one |\n\nmore\n';
  expect(withTable(page, '| a | b |', ['| `x` | two |'])).toBe('| a | b |\n|---|---|\n| `x` | two |\n\nmore\n');
});
