// Draws the number of something new: a hash of what it is, so that each branch draws the same number for the same thing, and
// different things have different numbers on all branches.

import { sha256 } from '../../runtime/schema/hash.js';
import { FIRST_DRAWN, NUMBER_LIMIT } from '../../runtime/schema/numbers.js';

/** What a number is drawn for. */
export interface NewThing {
  readonly kind: 'resource' | 'column' | 'value';
  /** The number of the resource of a column, or of the column of a value; 0 for a resource. */
  readonly owner: number;
  readonly name: string;
  /** How many things had the name before. */
  readonly earlier: number;
}

export type Draw = (thing: NewThing) => number;

/** @param taken numbers that something has or had; those that are drawn are added */
export function drawing(taken: Set<number>): Draw {
  return (thing) => {
    for (let attempt = 0; ; attempt++) {
      const number = hashOf(thing, attempt);
      if (taken.has(number)) continue;
      taken.add(number);
      return number;
    }
  };
}

function hashOf({ kind, owner, name, earlier }: NewThing, attempt: number): number {
  const hash = Number.parseInt(sha256(JSON.stringify([kind, owner, name, earlier, attempt])).slice(0, 12), 16);
  return FIRST_DRAWN + (hash % (NUMBER_LIMIT - FIRST_DRAWN));
}
