// Record ids: two characters of placement, then time, then chance (D37). Never reads a clock or a source of chance itself.

/** Source of random bytes, such as node:crypto's randomBytes. */
export type Random = (bytes: number) => Uint8Array;

export interface Ids {
  /**
   * A new id of 26 characters in `placement`. Of one generator, a later id sorts after an earlier one of the same
   * placement, also within a millisecond and when the clock steps back.
   * @param now epoch milliseconds
   */
  next(placement: string, now: number): string;
  /** Two characters for a new owner, one of 1024 values. */
  draw(): string;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME = 10;
const CHANCE = 14;

/** Ids whose order is that of their making; keeps the last time and chance as its only state. */
export function createIds(random: Random): Ids {
  let time = -1;
  let timeText = '';
  let chance: number[] = [];
  const start = (from: number): void => {
    time = from;
    timeText = encodeTime(from);
    chance = drawChance(random);
  };
  return {
    next(placement, now) {
      if (now > time) start(now);
      else if (!increment(chance)) start(time + 1);
      return placement + timeText + encode(chance);
    },
    draw: () => drawPlacement(random),
  };
}

/** Two characters for a new owner, one of 1024 values. */
export function drawPlacement(random: Random): string {
  return encode(digits(random, 2));
}

/** The two characters that an id shares with everything of its owner. */
export function placementOf(id: string): string {
  return id.slice(0, 2);
}

function drawChance(random: Random): number[] {
  const drawn = digits(random, CHANCE);
  // The first digit starts in its lower half, which leaves room to count up within a millisecond.
  drawn[0] = (drawn[0] ?? 0) & 15;
  return drawn;
}

function digits(random: Random, count: number): number[] {
  return Array.from(random(count), (byte) => byte & 31);
}

/** Counts up by one in place; false when there is no room left. */
function increment(number: number[]): boolean {
  for (let place = number.length - 1; place >= 0; place -= 1) {
    const digit = number[place] ?? 0;
    number[place] = (digit + 1) & 31;
    if (digit < 31) return true;
  }
  return false;
}

function encodeTime(time: number): string {
  const encoded: number[] = [];
  let rest = time;
  for (let place = 0; place < TIME; place += 1) {
    encoded.unshift(rest % 32);
    rest = Math.floor(rest / 32);
  }
  return encode(encoded);
}

function encode(number: readonly number[]): string {
  let text = '';
  for (const digit of number) text += ALPHABET.charAt(digit);
  return text;
}
