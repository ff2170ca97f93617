// Ids of records: two characters of placement, then time, then random characters (D37). Creates them, and prepares them for
// statements: one with its placement, or several grouped by their shards. Clock and randomness are passed in.

/** Source of random bytes, such as node:crypto's randomBytes. */
export type Random = (bytes: number) => Uint8Array;

export interface Ids {
  /**
   * A new id of 26 characters in `placement`. Within one generator, a later id sorts after an earlier one of the same
   * placement, even within a millisecond or after the clock stepped back.
   * @param now epoch milliseconds
   */
  next(placement: string, now: number): string;
  /** Two characters for a new owner, one of 1024 values. */
  draw(): string;
}

/** The parameter with the chosen id of a new record; an id that is taken is not_unique. */
export const CHOSEN_ID = '_use_this_id';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 14;

/** Creates ids that sort in order of creation; its only state is the last time and random part. */
export function createIds(random: Random): Ids {
  let time = -1;
  let timeText = '';
  let randomPart: number[] = [];
  const start = (from: number): void => {
    time = from;
    timeText = encodeTime(from);
    randomPart = digits(random, RANDOM_LENGTH);
    // The first digit starts in its lower half, which leaves room to count up within a millisecond.
    randomPart[0] = (randomPart[0] ?? 0) & 15;
  };
  return {
    next(placement, now) {
      if (now > time) start(now);
      else if (!increment(randomPart)) start(time + 1);
      return placement + timeText + encode(randomPart);
    },
    draw: () => drawPlacement(random),
  };
}

/** Two characters for a new owner, one of 1024 values. */
export function drawPlacement(random: Random): string {
  return encode(digits(random, 2));
}

/** The two characters that an id shares with everything its owner has. */
export function placementOf(id: string): string {
  return id.slice(0, 2);
}

/** The lowest possible id of a placement at a time: ids of that placement before it were created earlier. */
export function firstIdAt(placement: string, time: number): string {
  return placement + encodeTime(time);
}

const ID = new RegExp(`^[${ALPHABET}]{${2 + TIME_LENGTH + RANDOM_LENGTH}}$`);

/** Whether the text is an id of a generator, with the placement of `other`. */
export function isPlacedWith(text: string, other: string): boolean {
  return ID.test(text) && placementOf(text) === placementOf(other);
}

/** The values of `@id` and of its `@placement`. */
export function idOf(id: string): { readonly placement: string; readonly id: string } {
  // PostgreSQL refuses U+0000 in any text. No id contains it or its replacement.
  const text = id.includes('\0') ? id.replaceAll('\0', '\u0001') : id;
  return { placement: placementOf(text), id: text };
}

/** Ids that one statement can read, and the placement they share. */
export type PlacedIds = {
  readonly placement: string;
  readonly ids: readonly string[];
};

/** Groups in the order of placements and ids: transactions that lock rows in this order do not deadlock. */
export function byPlacement(ids: Iterable<string>): readonly PlacedIds[] {
  const groups = new Map<string, string[]>();
  for (const id of [...new Set(ids)].sort()) {
    const placement = placementOf(id);
    const group = groups.get(placement);
    if (group === undefined) groups.set(placement, [id]);
    else group.push(id);
  }
  return [...groups].map(([placement, group]) => ({ placement, ids: group }));
}

/** Groups of ids that one statement can read: a single group where rows are not placed. */
export function groupsOf(dialect: { readonly isPlaced: boolean }, ids: Iterable<string>): readonly PlacedIds[] {
  if (dialect.isPlaced) return byPlacement(ids);
  const unique = [...new Set(ids)];
  return unique.length === 0 ? [] : [{ placement: '', ids: unique }];
}

function digits(random: Random, count: number): number[] {
  const drawn: number[] = [];
  // Array.from takes four times as long for bytes.
  for (const byte of random(count)) drawn.push(byte & 31);
  return drawn;
}

/** Increments in place; false on overflow. */
function increment(number: number[]): boolean {
  for (let place = number.length - 1; place >= 0; place -= 1) {
    const digit = number[place] ?? 0;
    number[place] = (digit + 1) & 31;
    if (digit < 31) return true;
  }
  return false;
}

function encodeTime(time: number): string {
  let text = '';
  let rest = time;
  for (let place = 0; place < TIME_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encode(number: readonly number[]): string {
  let text = '';
  for (const digit of number) text += ALPHABET.charAt(digit);
  return text;
}
