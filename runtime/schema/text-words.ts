// The words by which records are found (D44): those of a record's texts, and those that a request looks for.

/** Further words of a record are left out, in the order of its texts. */
const MAX_RECORD_WORDS = 64;
/** Further characters of a word do not count. */
const MAX_WORD_LENGTH = 40;
/** A shorter word matches only itself; a longer one also words that begin with it. */
const SHORTEST_PREFIX = 3;

/** The parameter of a search, and its other name. */
export const SEARCH_PARAMETERS = ['q', 'query'] as const;
/** Of one search. */
export const MAX_SEARCH_WORDS = 8;
export const MAX_SEARCH_LENGTH = 255;

/** The words of texts, each once and folded: without marks, in lower case. */
export function wordsOf(texts: readonly unknown[]): readonly string[] {
  return [...new Set(texts.flatMap(wordsIn))].slice(0, MAX_RECORD_WORDS);
}

/** The words of a search, the longest first, since few records have it. */
export function searchWords(text: string): readonly string[] {
  return [...new Set(wordsIn(text))].sort((one, other) => other.length - one.length);
}

/** The words that match one of a search: from the first up to, but not including, the second, in the order of their bytes. */
export interface WordRange {
  readonly from: string;
  readonly to: string;
}

export function rangeOf(word: string): WordRange {
  // Words hold only letters and digits: a blank comes before all of these, the last character after them.
  return { from: word, to: `${word}${[...word].length < SHORTEST_PREFIX ? ' ' : '\u{10ffff}'}` };
}

function wordsIn(text: unknown): readonly string[] {
  if (typeof text !== 'string') return [];
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(''));
}
