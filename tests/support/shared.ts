// What the tests of a file, or of a block, are about, such as a service: made before them, and stopped after them.

type Made = { stop(): unknown } | { end(): unknown } | { close(): unknown };

/** @returns an object with all members of what is made once for all tests */
export function shared<T extends Made>(make: () => T | Promise<T>): T {
  const made = {} as T;
  beforeAll(async () => void Object.assign(made, await make()));
  afterAll(async () => void (await stop(made)));
  return made;
}

/** @returns an object with all members of what is made again for each test */
export function fresh<T extends Made>(make: () => T | Promise<T>): T {
  const made = {} as T;
  beforeEach(async () => void Object.assign(made, await make()));
  afterEach(async () => void (await stop(made)));
  return made;
}

function stop(made: Made): unknown {
  if ('stop' in made) return made.stop();
  return 'end' in made ? made.end() : made.close();
}
