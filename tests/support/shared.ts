// What the tests of a file, or of a block, are about, such as a service: made before them, and stopped after them.

type Made = { stop(): unknown } | { end(): unknown } | { close(): unknown };

/** @returns an object with all members of what is made once for all tests; they cannot be set */
export function shared<T extends Made>(make: () => T | Promise<T>): Readonly<T> {
  const made = {} as T;
  beforeAll(async () => take(made, await make()));
  afterAll(async () => void (await stop(made)));
  return made;
}

/** @returns an object with all members of what is made again for each test; they cannot be set */
export function fresh<T extends Made>(make: () => T | Promise<T>): Readonly<T> {
  const made = {} as T;
  beforeEach(async () => take(made, await make()));
  afterEach(async () => void (await stop(made)));
  return made;
}

/** Setting a member here would not set it there, so it throws a TypeError. */
function take<T extends Made>(made: T, one: T): void {
  for (const [name, value] of Object.entries(one))
    Object.defineProperty(made, name, { value, configurable: true, enumerable: true });
}

function stop(made: Made): unknown {
  if ('stop' in made) return made.stop();
  return 'end' in made ? made.end() : made.close();
}
