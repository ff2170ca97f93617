// Any character of Unicode, for random texts. What fast-check offers for that maps all of them first, which takes it a second.

import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 } as const;

/** A unit of `fc.string`: every code point but those of halves. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));
