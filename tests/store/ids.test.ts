import fc from 'fast-check';
import { createIds, drawPlacement, placementOf } from '../../runtime/contract/ids.js';
import { repeatable } from './setup.js';

describe('ids (D37)', () => {
  test('consist of placement, time and random part', () => {
    const id = createIds((bytes) => new Uint8Array(bytes)).next('zz', 32);
    expect(id).toBe('zz000000001000000000000000');
    expect(id).toHaveLength(26);
    expect(placementOf(id)).toBe('zz');
  });

  test('have a placement of two characters out of 32', () => {
    expect(drawPlacement(() => Uint8Array.from([31, 10]))).toBe('za');
    expect(drawPlacement(() => Uint8Array.from([255, 42]))).toBe('za');
  });

  test('sort by creation, even within a millisecond or if the clock steps back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 200 }),
        fc.integer(),
        (steps, seed) => {
          const ids = createIds(repeatable(seed));
          let now = 1_700_000_000_000;
          const created = steps.map((step) => {
            now += step;
            return ids.next('ab', now);
          });
          expect([...created].sort()).toEqual(created);
          expect(new Set(created).size).toBe(created.length);
        },
      ),
    );
  });

  test('count up, then use the next millisecond', () => {
    const ids = createIds((bytes) => new Uint8Array(bytes).fill(31));
    expect(ids.next('ab', 0)).toBe('ab0000000000fzzzzzzzzzzzzz');
    expect(ids.next('ab', 0)).toBe('ab0000000000g0000000000000');
  });
});
