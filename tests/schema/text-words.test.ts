// The words for searches (D44): how texts are folded, and what matches within words of scripts without blanks.
import fc from 'fast-check';
import { rangeOf, searchWords, wordsOf } from '../../runtime/schema/text-words.js';
import { mustFind, spelling, texts, written } from './word-oracle.js';

/** Compares as the engines do: for each word of the search, a word of the text is in its range, in byte order. */
function finds(text: string, search: string): boolean {
  const words = wordsOf([text]).map((word) => Buffer.from(word));
  return searchWords(search).every((wanted) => {
    const [from, to] = Object.values(rangeOf(wanted)).map((bound) => Buffer.from(bound as string)) as [Buffer, Buffer];
    return words.some((word) => Buffer.compare(word, from) >= 0 && Buffer.compare(word, to) < 0);
  });
}

const CASES: readonly (readonly [text: string, found: readonly string[], others: readonly string[]])[] = [
  [
    '日本語の双六ゲーム',
    ['双六', '六', '日本語の双六ゲーム', '双六ゲ', 'ｹﾞｰﾑ', 'ム 日'],
    ['六双', '日本双六', 'ケーム'],
  ],
  ['六本の双剣、双子と六角', ['双剣', '双'], ['双六', '剣双子']],
  [
    '3人用TシャツABCゲーム2',
    ['3人', '人用', 'シャツ', 'tシャ', 'abc', 'ABCゲ', 'ゲーム2', '3', 'T'],
    ['bcゲ', '用シャ', 'ab'],
  ],
  ['เกมกระดานสนุก', ['กระดาน', 'สนุก'], ['กระดน']],
  ['ພາສາລາວ ភាសាខ្មែរ မြန်မာစာ', ['ລາວ', 'ខ្មែរ', 'မာ'], ['ລາຍ']],
  ['ភាសា\u200bខ្មែរ', ['ភាសាខ្មែរ', 'ខ្មែរ'], []],
  ['새로운 보드게임을', ['게임', '보드게임', '새'], ['운보', 'ㄱ']],
  ['Hauptstraße', ['HAUPTSTRASSE', 'hauptstrasse', 'Hauptstraß', 'HAUPTSTRAẞE'], ['strasse', 'hauptstrase']],
  ['STRASSE', ['straße', 'strasse', 'STRAẞE'], []],
  ['ΟΔΟΣΗΜΟ ΟΔΟΣ', ['οδος', 'ΟΔΟΣ', 'οδόσημο'], []],
  ['İSTANBUL Iğdır', ['istanbul', 'IGDIR', 'ığdır'], []],
  ['ﬁne ＷＩＤＥ', ['fine', 'FIN', 'wide'], []],
  ['Hebrew שָׁלוֹם, Arabic كِتَاب', ['שלום', 'كتاب'], []],
];

test.each(CASES)('%s', (text, found, others) => {
  expect(found.filter((one) => !finds(text, one))).toEqual([]);
  expect(others.filter((one) => finds(text, one))).toEqual([]);
});

test('the words of other texts are unchanged', () => {
  const text = 'Châteaux & Dragons, the 2nd (10+): ÆON Straßenbahn naïve';
  expect(wordsOf([text])).toEqual(['chateaux', 'dragons', 'the', '2nd', '10', 'æon', 'strassenbahn', 'naive']);
});

test('a search matches exactly the texts that contain it, in any spelling', () => {
  fc.assert(
    fc.property(texts, texts, spelling, spelling, fc.constantFrom(' ', '、', '-'), (text, search, one, other, by) => {
      const isFound = finds(one(written(text, by)), other(written(search)));
      expect(isFound).toBe(mustFind(text, search));
    }),
    { numRuns: 1000 },
  );
});

test('every substring of a text without blanks matches it', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 40 }), spelling, ([letters = []], from, length, other) => {
      const start = from % letters.length;
      const part = letters.slice(start, start + length);
      if (/^[a-z0-9]/.test(part[0] ?? '')) return;
      expect(finds(letters.join(''), other(part.join('')))).toBe(true);
    }),
  );
});

test('folding a folded text changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      for (const word of [...searchWords(text), ...wordsOf([text])]) expect(searchWords(word)).toEqual([word]);
    }),
  );
});

test('the number of words and places is limited, and so is their length', () => {
  const kana = (count: number) => Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
  const words = Array.from({ length: 70 }, (_, at) => `word${at + 100}`).join(' ');
  const all = wordsOf([`${kana(300)} ${words}`]);
  expect([all.filter((word) => word.startsWith('word')).length, all.length]).toEqual([64, 64 + 256]);
  const [first = ''] = wordsOf([kana(300)]);
  expect([...first].length).toBe(40);
  expect(searchWords(kana(100))).toEqual([first]);
});
