// Starts what the tests of a file or block have in common, such as a service, before them, and stops it after them.

type Stoppable = { stop(): unknown } | { end(): unknown } | { close(): unknown };

/** @returns an object with all members of the object that `create` returns once for all tests; they cannot be set */
export function shared<T extends Stoppable>(create: () => T | Promise<T>): Readonly<T> {
  const copy = {} as T;
  beforeAll(async () => copyMembers(await create(), copy));
  afterAll(async () => void (await stop(copy)));
  return copy;
}

/** @returns an object with all members of the object that `create` returns for each test; they cannot be set */
export function fresh<T extends Stoppable>(create: () => T | Promise<T>): Readonly<T> {
  const copy = {} as T;
  beforeEach(async () => copyMembers(await create(), copy));
  afterEach(async () => void (await stop(copy)));
  return copy;
}

/** Setting a member of the copy throws a TypeError, since it would not set the member of the original. */
function copyMembers<T extends Stoppable>(original: T, copy: T): void {
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(original)))
    Object.defineProperty(copy, name, { ...(get ? { get } : { value }), configurable: true, enumerable: true });
}

/** Does nothing if `create` failed. */
function stop(running: Stoppable): unknown {
  if ('stop' in running) return running.stop();
  if ('end' in running) return running.end();
  return 'close' in running && running.close();
}
