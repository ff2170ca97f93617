// The conversions that generated handlers use, with the whole table of D26.
import { bit, epoch, jsonText, kept, proofed } from '../../runtime/contract/kit.js';

test('kept: undefined keeps, null falls back, a value replaces', () => {
  expect(kept(undefined, 7 as number, 1)).toBe(7);
  expect(kept(null, 7 as number, 1)).toBe(1);
  expect(kept(3, 7 as number, 1)).toBe(3);
  expect(kept(null, 'x' as string | null, null)).toBe(null);
});

test('bit, epoch and jsonText pass null and undefined through', () => {
  expect([bit(true), bit(false), bit(null), bit(undefined)]).toEqual([1, 0, null, undefined]);
  expect([epoch('1970-01-01T00:00:01.500Z'), epoch(null), epoch(undefined)]).toEqual([1500, null, undefined]);
  expect([jsonText({ a: [1] }), jsonText(null), jsonText(undefined)]).toEqual(['{"a":[1]}', null, undefined]);
});

// The flag that is sent, the new image, the image in the row, the flag in the row, and the resulting flag.
const TABLE: readonly [boolean | null | undefined, string | null | undefined, string | null, 0 | 1, 0 | 1][] = [
  [undefined, undefined, 'f1', 1, 1],
  [undefined, undefined, 'f1', 0, 0],
  [undefined, 'f1', 'f1', 1, 1],
  [undefined, 'f2', 'f1', 1, 0],
  [undefined, 'f1', null, 0, 0],
  [undefined, null, 'f1', 1, 0],
  [undefined, null, null, 0, 0],
  [true, undefined, 'f1', 0, 1],
  [true, 'f2', 'f1', 0, 1],
  [true, 'f2', 'f1', 1, 1],
  [true, null, 'f1', 1, 0],
  [false, undefined, 'f1', 1, 0],
  [false, 'f1', 'f1', 1, 0],
  [false, 'f2', 'f1', 1, 0],
  [null, undefined, 'f1', 1, 0],
];

describe('proofed (D26)', () => {
  for (const [sent, next, image, flag, expected] of TABLE) {
    test(`sent ${sent}, image ${image} -> ${next}, flag ${flag} -> ${expected}`, () => {
      expect(proofed(sent, next, image, flag)).toBe(expected);
    });
  }
});
