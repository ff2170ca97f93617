// Any Unicode character, for random texts. fast-check's own arbitrary maps all characters first, which takes it a second.

import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 } as const;

/** A unit of `fc.string`: every code point except surrogates. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));
