// Determines which texts a search must match from the texts alone, by looking at each place where a word may begin.
import fc from 'fast-check';

/** Letters that folding does not change. `ANYWHERE` has those of scripts without blanks. */
const WORDS = ['a', 'b', 's', 'ss', '5'];
const ANYWHERE = ['日', '本', '六', 'は', 'ば', 'ー', 'ム', 'ก', 'กิ', 'น', '게', '임', '𠮷', 'ក', 'မ', 'ກ'];
const isAnywhere = (letter: string) => !/^[a-z0-9]/.test(letter);

type Letters = readonly string[];

const run = fc.array(fc.constantFrom(...WORDS, ...ANYWHERE, ...ANYWHERE.slice(0, 3)), { minLength: 1, maxLength: 7 });
/** Runs of letters, joined by other characters. */
export const texts = fc.array(run, { minLength: 1, maxLength: 4 });

/** The same text in different spellings: composed or not, in capitals, with ß, in half or full width. */
export const spelling = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.normalize('NFD'),
  (text: string) => text.toUpperCase(),
  (text: string) => text.replaceAll('ss', 'ß'),
  (text: string) => text.replaceAll('5', '５').replaceAll('ム', 'ﾑ').replaceAll('a', 'ä'),
);

export const written = (runs: readonly Letters[], by = ' ') => runs.map((letters) => letters.join('')).join(by);

/** Whether a text contains each run of a search. */
export function mustFind(text: readonly Letters[], search: readonly Letters[]): boolean {
  return search.every((wanted) => text.some((letters) => has(letters, wanted)));
}

function has(letters: Letters, wanted: Letters): boolean {
  const word = wanted.join('');
  // A search without such letters matches a whole word, or, from three letters on, the beginning of one.
  if (!wanted.some(isAnywhere) && word.length < 3) return parts(letters).includes(word);
  return letters.some((_, at) => begins(letters, at) && startsIn(letters, at).startsWith(word));
}

const startsIn = (letters: Letters, at: number) => letters.slice(at).join('');

function begins(letters: Letters, at: number): boolean {
  const [before, here] = [letters[at - 1], letters[at] ?? ''];
  return before === undefined || isAnywhere(here) || isAnywhere(before);
}

/** The parts of a run between letters of scripts without blanks. */
function parts(letters: Letters): readonly string[] {
  return letters
    .map((letter) => (isAnywhere(letter) ? ' ' : letter))
    .join('')
    .split(' ');
}
