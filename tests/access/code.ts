// The code under test from its two functions, with an action in place of the one that the web hook module brings.

import type { Collaborators, Operations } from '../../runtime/operations/operations.js';
import * as own from '../../runtime/resources/index.js';
import type { Running, StartOptions } from '../../runtime/server/main.js';
import type { Code } from './world.js';

/** Without the module: whether the action may be called is looked at, not what it does. */
const handwritten = { ...own, actions: { ...own.actions, webhook: { test: () => undefined } } };

/** @param start,createOperations as runtime/server/main and runtime/operations export them */
export function codeOf(
  start: (options: StartOptions) => Promise<Running>,
  createOperations: (collaborators: Collaborators) => Operations,
): Code {
  return {
    start: (options) => start({ ...options, handwritten }),
    operations: ({ service: { engine, generated } }) =>
      createOperations({
        store: engine.records,
        definitions: generated.definitions,
        hashPassword: async (text) => text,
        verifyPassword: async () => true,
      }),
  };
}
