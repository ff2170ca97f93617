// What all tests of a file, or of a block, share.

/** @returns an object with all members of the one that is made before the first test; it is stopped after the last */
export function shared<T extends { stop(): unknown }>(make: () => Promise<T>): T {
  const made = {} as T;
  beforeAll(async () => void Object.assign(made, await make()));
  afterAll(async () => void (await made.stop()));
  return made;
}
