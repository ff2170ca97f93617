// Whatever happens to a descriptor, the result is diagnostics or a clean spec, never an exception or a position outside its text.
import fc from 'fast-check';
import { type Pair, parseDocument, visit } from 'yaml';
import { print } from '../../generator/diagnostics/print.js';
import type { SourceFile } from '../../generator/load/load.js';
import { anyCharacter } from '../support/any-character.js';
import { count } from '../support/counts.js';
import { diagnose, projectFiles } from './project-files.js';

/** Enough of the project for references to resolve; the other files would only take time. */
const KEPT =
  /(conventions|events|user|designer|designerassociate|game|gamedownload|file|folder|receipt|webhook|boxtop)[.]yaml$/;
const files = projectFiles().filter(({ path }) => KEPT.test(path));

type Damage = (text: string) => string;
const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const piece = fc.oneof(
  fc.constantFrom(
    ':',
    '-',
    '[',
    ']',
    '{',
    '}',
    '\t',
    '&a ',
    '*a',
    '!x ',
    '"',
    "'",
    '|',
    '>',
    '%',
    '---\n',
    '? ',
    '#',
    '\u0000',
    '\ud800',
  ),
  fc.constantFrom(
    '__proto__: 1\n',
    'constructor: {}\n',
    'null',
    '~',
    'true',
    '1e999',
    '.nan',
    '<<: {}\n',
    '{kind: computed}',
    '0x',
  ),
  fc.string({ maxLength: 6, unit: anyCharacter }),
);

const insert = fc.tuple(position, piece).map(
  ([at, text]): Damage =>
    (from) =>
      splice(from, at, 0, text),
);
const remove = fc.tuple(position, fc.nat(40)).map(
  ([at, length]): Damage =>
    (from) =>
      splice(from, at, length, ''),
);
const replace = fc.tuple(position, fc.nat(8), piece).map(
  ([at, length, text]): Damage =>
    (from) =>
      splice(from, at, length, text),
);
const double = position.map(
  (at): Damage =>
    (from) =>
      lines(from, at, (line) => [line, line]),
);
const indent = fc.tuple(position, fc.nat(6)).map(
  ([at, by]): Damage =>
    (from) =>
      lines(from, at, (line) => [' '.repeat(by) + line.trimStart()]),
);
const swap = fc.tuple(position, position).map(
  ([one, other]): Damage =>
    (from) =>
      swapWords(from, one, other),
);

const damages = fc.array(fc.oneof(insert, remove, replace, double, indent, swap), { minLength: 1, maxLength: 4 });

test('damaged descriptors are reported, not thrown', () => {
  fc.assert(
    fc.property(fc.nat(files.length - 1), damages, (index, chosen) => {
      const damaged = files.map((file, at) => (at === index ? applyDamages(file, chosen) : file));
      const diagnostics = diagnose(damaged);
      const texts = new Map(damaged.map(({ path, text }) => [path, text]));
      for (const diagnostic of diagnostics) {
        const { length } = texts.get(diagnostic.path) ?? '';
        if (diagnostic.start < 0 || diagnostic.end < diagnostic.start || diagnostic.end > length)
          throw new Error(`impossible position in ${JSON.stringify(diagnostic)}`);
        if (/undefined|\[object|\{\w+\}/.test(diagnostic.message) && !damagedTextContains(texts, diagnostic.path))
          throw new Error(diagnostic.message);
      }
      expect(print(diagnostics, texts).endsWith('\n')).toBe(diagnostics.length > 0);
    }),
    { numRuns: count(30, 600) },
  );
});

const unexpectedValue = fc.oneof(
  fc.constantFrom<unknown>(null, [], {}, '', 'x', 'game', 0, -1, 1.5, true, false, ['game'], [[]], [{}], {
    kind: 'text',
  }),
  fc.constantFrom<unknown>(
    { constructor: 1 },
    { toString: 0 },
    { kind: 'reference' },
    'constructor',
    'session.user',
    'a.b',
    'reference',
    'toString',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

test('values of an unexpected form are reported, not thrown', () => {
  fc.assert(
    fc.property(
      fc.nat(files.length - 1),
      fc.array(fc.tuple(position, unexpectedValue), { minLength: 1, maxLength: 3 }),
      (index, changes) => {
        const changed = files.map((file, at) =>
          at === index ? { path: file.path, text: misshape(file.text, changes) } : file,
        );
        const diagnostics = diagnose(changed);
        print(diagnostics, new Map(changed.map(({ path, text }) => [path, text])));
        for (const { message } of diagnostics) expect(message).not.toMatch(/undefined|\[object/);
      },
    ),
    { numRuns: count(30, 600) },
  );
});

test.each(['[', '{a: ', '- ', '? ', '- - ', 'a:\n '])('a file that repeats %j is reported', (text) => {
  const file = { path: 'spec/resources/boxtop.yaml', text: text.repeat(30_000) };
  expect(diagnose([...files.filter(({ path }) => path !== file.path), file]).length).toBeGreaterThan(0);
});

test('any text is checked without an exception', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 80 }), (text) => {
      print(diagnose([{ path: 'spec/resources/piece.yaml', text }]), new Map());
    }),
    { numRuns: count(100, 1000) },
  );
});

/** Replaces a value of the document by each of the given values. */
function misshape(text: string, changes: readonly (readonly [number, unknown])[]): string {
  const document = parseDocument(text);
  for (const [at, value] of changes) {
    const pairs: Pair[] = [];
    visit(document, {
      Pair(_, pair) {
        pairs.push(pair);
      },
    });
    const pair = pairs[Math.floor(at * pairs.length)];
    if (pair !== undefined) pair.value = document.createNode(value);
  }
  return document.toString();
}

function applyDamages({ path, text }: SourceFile, chosen: readonly Damage[]): SourceFile {
  return { path, text: chosen.reduce((from, damage) => damage(from), text) };
}

/** The words that must not get into a message by mistake may come from the damage itself. */
function damagedTextContains(texts: ReadonlyMap<string, string>, path: string): boolean {
  return /undefined|object|\{/.test(texts.get(path) ?? '');
}

function splice(text: string, at: number, length: number, piece: string): string {
  const start = Math.floor(at * text.length);
  return text.slice(0, start) + piece + text.slice(start + length);
}

function lines(text: string, at: number, change: (line: string) => string[]): string {
  const all = text.split('\n');
  const index = Math.floor(at * all.length);
  return all.flatMap((line, where) => (where === index ? change(line) : [line])).join('\n');
}

function swapWords(text: string, one: number, other: number): string {
  const words = text.split(/\b/);
  const [a, b] = [Math.floor(one * words.length), Math.floor(other * words.length)];
  return words.map((word, index) => (index === a ? words[b] : index === b ? words[a] : word)).join('');
}
