// Repeatable random draws: everything follows from one number, which a failing test prints.

/** Draws from a sequence that depends only on its seed. */
export interface Chance {
  /** At least 0, below 1. */
  unit(): number;
  /** A whole number, at least 0, below `limit`. */
  below(limit: number): number;
  happens(probability: number): boolean;
  one<T>(items: readonly [T, ...T[]] | readonly T[]): T;
  /** One of the items, chosen as often as its weight says. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
}

/** @param seed a whole number; the same seed gives the same draws (mulberry32) */
export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(unit() * limit);
  return {
    unit,
    below,
    happens: (probability) => unit() < probability,
    one<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('There is nothing to draw from.');
      return items[below(items.length)] as T;
    },
    weighted<T>(items: readonly (readonly [number, T])[]): T {
      let remaining = unit() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) {
        remaining -= weight;
        if (remaining < 0) return item;
      }
      return (items.at(-1) as readonly [number, T])[1];
    },
  };
}

/**
 * The seed of a random test: the one in PUNCHBOARD_SEED, or a different one for each run of the long form, and otherwise always
 * the same, so that CI fails only because of changes.
 */
export function seedOfRun(usual = 1): number {
  const { PUNCHBOARD_SEED, PUNCHBOARD_LONG } = process.env;
  if (PUNCHBOARD_SEED !== undefined) return Number(PUNCHBOARD_SEED);
  return PUNCHBOARD_LONG === '1' ? Date.now() % 2 ** 31 : usual;
}
