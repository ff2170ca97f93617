// The code under test from its two functions, wherever they were loaded from. Loads nothing itself.

import type { Collaborators, Operations } from '../../runtime/operations/operations.js';
import type { Running, StartOptions } from '../../runtime/server/main.js';
import type { Code } from './world.js';

/** @param start,createOperations as runtime/server/main and runtime/operations export them */
export function codeOf(
  start: (options: StartOptions) => Promise<Running>,
  createOperations: (collaborators: Collaborators) => Operations,
): Code {
  return {
    start,
    operations: ({ service: { store, generated } }) =>
      createOperations({
        store,
        definitions: generated.definitions,
        hashPassword: async (text) => text,
        verifyPassword: async () => true,
        // Actions whose module is not there yet: whether they may be called is looked at, not what they do.
        actions: Object.fromEntries(
          generated.definitions.map(({ name, actions }) => [
            name,
            Object.fromEntries(Object.keys(actions).map((action) => [action, () => undefined])),
          ]),
        ),
      }),
  };
}
