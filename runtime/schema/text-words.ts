// The words of a search (D44): those in a record's texts, and those that a request looks for.

/**
 * The number of the rule that splits texts into words. It is raised with each change of the rule, and `migrate` then rewrites the
 * words of stored rows. Rule 1 did not support scripts without spaces.
 */
export const WORD_RULE = 2;

/** Only the first words of a record are stored, in the order of its texts. */
const MAX_RECORD_WORDS = 64;
/** Only the first places in texts of scripts without spaces can be found: each has a row, whose word begins there. */
const MAX_RECORD_PLACES = 256;
/** Only the first characters of a word count. */
const MAX_WORD_LENGTH = 40;
/** A shorter word matches only itself; a longer one also words that begin with it. */
const SHORTEST_PREFIX = 3;

/** Letters of scripts that have no spaces between words. Korean has spaces, but not within its compounds. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');
/** Every such letter has a UTF-16 code unit in this range, which is much faster to test. */
const FIRST_UNSPACED = /[\u0e00-\uffff]/;
/** In the scripts without spaces, marks are vowels and other sounds; a zero-width space may separate words. */
const IGNORED = new RegExp(`\\p{M}(?<![${UNSPACED}])|\\u200b(?=[${UNSPACED}])`, 'gu');
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** A search may begin within a word: at each letter of these scripts, and at each run of other letters. */
const BEGINNINGS = new RegExp(`[${UNSPACED}]\\p{M}*|[^${UNSPACED}]+`, 'gu');

/** The parameter of a search, and its other name. */
export const SEARCH_PARAMETERS = ['q', 'query'] as const;
/** The maximum number of words of one search. */
export const MAX_SEARCH_WORDS = 8;
export const MAX_SEARCH_LENGTH = 255;

/** The words of texts, each once and folded. A word with letters of scripts without spaces is listed from each such letter on. */
export function wordsOf(texts: readonly unknown[]): readonly string[] {
  const all = [...new Set(texts.flatMap(wordsIn).flatMap(beginningsOf))];
  const [whole, places] = [false, true].map((has) => all.filter((word) => hasUnspaced(word) === has));
  return [...(whole ?? []).slice(0, MAX_RECORD_WORDS), ...(places ?? []).slice(0, MAX_RECORD_PLACES)];
}

/** The words of a search, the longest first, since few records have long words. */
export function searchWords(text: string): readonly string[] {
  return [...new Set(wordsIn(text).map(shortened))].sort((one, other) => other.length - one.length);
}

/** The words that match a word of a search: `from` is included, `to` is not, in the order of their bytes. */
export interface WordRange {
  readonly from: string;
  readonly to: string;
}

export function rangeOf(word: string): WordRange {
  const isWhole = [...word].length < SHORTEST_PREFIX && !hasUnspaced(word);
  // Words hold only letters, digits and marks: a space sorts before all of these, the last character after them.
  return { from: word, to: `${word}${isWhole ? ' ' : '\u{10ffff}'}` };
}

function wordsIn(text: unknown): readonly string[] {
  return typeof text === 'string' ? (folded(text).match(WORDS) ?? []) : [];
}

/** Removes case, marks and compatibility forms. Lower case of upper case turns ß into ss, and ς into σ except at a word's end. */
function folded(text: string): string {
  const letters = text.normalize('NFKD').replace(IGNORED, '');
  return letters.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

function beginningsOf(word: string): readonly string[] {
  if (!hasUnspaced(word)) return [shortened(word)];
  return [...word.matchAll(BEGINNINGS)].flatMap(({ 0: part, index }) => [
    ...(hasUnspaced(part) ? [] : [shortened(part)]),
    shortened(word.slice(index)),
  ]);
}

function hasUnspaced(word: string): boolean {
  return FIRST_UNSPACED.test(word) && UNSPACED_LETTER.test(word);
}

function shortened(word: string): string {
  return [...word.slice(0, 2 * MAX_WORD_LENGTH)].slice(0, MAX_WORD_LENGTH).join('');
}
