// A request before it becomes bytes, and damage that any bytes can suffer.

import type { Chance } from '../support/chance.js';

export interface Draft {
  method: string;
  path: string;
  query: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
}

/** Changes a few of the bytes. */
export function spoiled(bytes: Buffer, chance: Chance): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = chance.below(6); count >= 0 && copy.length > 0; count -= 1) {
    copy[chance.below(copy.length)] = chance.one([
      0,
      0x22,
      0x25,
      0x5c,
      0x7b,
      0x80,
      0xc0,
      0xed,
      0xff,
      chance.below(256),
    ]);
  }
  return copy;
}
