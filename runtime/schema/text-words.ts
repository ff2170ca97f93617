// The words by which records are found (D44): those of a record's texts, and those that a request looks for.

/** Words of one record, from the first of its texts on. */
const WORDS_OF_A_RECORD = 64;
/** Characters of a word that count. */
const LENGTH_OF_A_WORD = 40;
/** A shorter word is only found as it is; a longer one also where it begins another. */
const SHORTEST_BEGINNING = 3;

/** The parameter in which a request says what it looks for, and its other name. */
export const SEARCH_PARAMETERS = ['q', 'query'] as const;
/** Words that a request can look for together, and characters of them all. */
export const WORDS_SOUGHT = 8;
export const SEARCH_LENGTH = 255;

/** Each once, folded: without marks, in lower case. */
export function wordsOf(texts: readonly unknown[]): readonly string[] {
  return [...new Set(texts.flatMap(wordsIn))].slice(0, WORDS_OF_A_RECORD);
}

/** What a request looks for, the longest word first, as few records have it. */
export function wordsSought(text: string): readonly string[] {
  return [...new Set(wordsIn(text))].sort((one, other) => other.length - one.length);
}

/** Words of records that a word finds: from the first of them up to the second, in the order of their bytes. */
export interface WordRange {
  readonly from: string;
  readonly to: string;
}

export function rangeOf(word: string): WordRange {
  // Words hold only letters and digits: a blank comes before all of these, the last character after them.
  return { from: word, to: `${word}${[...word].length < SHORTEST_BEGINNING ? ' ' : '\u{10ffff}'}` };
}

function wordsIn(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, LENGTH_OF_A_WORD).join(''));
}
