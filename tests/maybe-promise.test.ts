import { isPromise, type MaybePromise, chain as next } from '../runtime/contract/maybe-promise.js';

/** Of another library: it has nothing but `then`. */
// biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
const bare = { then: (go: (value: number) => unknown) => go(20) } as unknown as Promise<number>;

describe('after', () => {
  test('at once where the value is there', () => {
    expect(next(20, (value) => value + 1)).toBe(21);
    expect(next(null, (value) => value)).toBe(null);
    expect(next(undefined, () => 'on')).toBe('on');
  });
  test('later where it is promised', async () => {
    const value = next(Promise.resolve(20), (one) => one + 1);
    expect(value).toBeInstanceOf(Promise);
    expect(await value).toBe(21);
  });
  test('any thenable is a promise', async () => {
    expect(await next(bare as MaybePromise<number>, (value) => value + 1)).toBe(21);
    expect([isPromise(bare), isPromise('then'), isPromise(JSON.parse('{"then":1}')), isPromise(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
  test('throws and rejections are the callers', async () => {
    const fail = () => {
      throw new Error('no');
    };
    expect(() => next(1, fail)).toThrow('no');
    await expect(next(Promise.resolve(1), fail)).rejects.toThrow('no');
    await expect(next(Promise.reject<number>(new Error('gone')), () => 1)).rejects.toThrow('gone');
  });
});
