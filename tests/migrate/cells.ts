// Functions that fill fields of games, and the cells of a game after every form of `fill`, calculated without the service's
// code. This file imports little, since the processes that are killed need it.

import type { Fills } from '../../runtime/contract/behaviour.js';
import type { Row } from '../../runtime/contract/definition.js';
import type { Chance } from '../support/chance.js';

export const FUNCTIONS: Fills = {
  game: {
    code(row) {
      const [name, line] = [String(row.name), row.short_description];
      return `${[...name].length}-${line === null ? 'none' : [...String(line)].length}-${row.category === 'Board Games'}`;
    },
    rating: ({ name }) => ([...String(name)].length % 4 === 3 ? null : [...String(name)].length % 4),
  },
};

const PIECES = [
  'Red',
  'Zoë',
  '龍',
  '😀😀',
  "O'Neil",
  '"',
  '\\',
  '%',
  '_',
  '\t',
  '\n',
  '\u00a0',
  '',
  '',
  '$1',
  '-- x',
  '{}',
  'İ',
];

/** A name of words, blanks and punctuation. */
export function nameBy(chance: Chance): string {
  const words = Array.from({ length: 1 + chance.below(5) }, () => chance.one(PIECES));
  return words.join(chance.one([' ', '  '])).padEnd(1, ' ');
}

export function lineBy(chance: Chance): string | null {
  return chance.happens(0.3) ? null : chance.happens(0.2) ? '' : nameBy(chance);
}

/** The cells of a row with these values. */
export function cells(
  row: Row,
  parent: { readonly name: unknown; readonly user: unknown },
): Readonly<Record<string, unknown>> {
  const [name, line] = [String(row.name), row.short_description as string | null];
  const [, word = '', rest = ''] = /^ *([^ ]*) *(.*?) *$/s.exec(name) ?? [];
  const length = Array.from(name).length;
  return {
    edition: 3,
    first: word === '' ? name : word,
    rest: rest === '' ? null : rest,
    full: line === null || line === '' ? name : `${name}, ${line}`,
    line,
    publisher: parent.name,
    maker_id: parent.user,
    code: [length, line === null ? 'none' : Array.from(line).length, 'true'].join('-'),
    rating: [0, 1, 2, null][length % 4],
  };
}
