// All mistakes in how a command is called are reported together, each of them once.

import { temporaryFolder } from '../support/paths.js';
import { run } from './processes.js';

const CASES: readonly (readonly [args: readonly string[], lines: readonly string[]])[] = [
  [
    ['serve', '--port', 'x', '--wire', 'z', '--processes', '1e2', '--nope', '--nada=1'],
    [
      "error: option '--port <number>' argument 'x' is invalid. It must be a whole number from 0 to 65535.",
      "error: option '--wire <profile>' argument 'z' is invalid. Allowed choices are plain, wing.",
      "error: option '--processes <number>' argument '1e2' is invalid. It must be a whole number from 1 to 256, or auto.",
      "error: unknown option '--nope'",
      "error: unknown option '--nada=1'",
    ],
  ],
  [
    ['serve', '--webhook-retry-unit-ms', '0', '--webhook-history-days', '3651'],
    [
      "error: option '--webhook-retry-unit-ms <number>' argument '0' is invalid. It must be a whole number from 1 to 31622400000.",
      "error: option '--webhook-history-days <number>' argument '3651' is invalid. It must be a whole number from 0 to 3650.",
    ],
  ],
  [
    ['copy', '--files-form', 'a'],
    [
      "error: unknown option '--files-form'",
      '(Did you mean --files-from?)',
      "error: required option '--from <place>' not specified",
      "error: required option '--to <place>' not specified",
    ],
  ],
  [
    ['webhooks', 'deliveries', '--state', 'x', '--limit', 'y'],
    [
      "error: option '--state <state>' argument 'x' is invalid. Allowed choices are waiting, held, in_flight, delivered, cancelled, given_up.",
      "error: option '--limit <number>' argument 'y' is invalid. It must be a whole number from 0 to 1000000.",
      "error: missing required argument 'id'",
    ],
  ],
  [
    ['gen', '--spec', 'spec', '--check', '--watch', '--nope'],
    ["error: option '--watch' cannot be used with option '--check'", "error: unknown option '--nope'"],
  ],
  // An unknown subcommand hides the other mistakes.
  [
    ['user', 'lis', '--nope'],
    ["error: unknown command 'lis'", '(Did you mean list?)'],
  ],
];

test.each(CASES)('%j', async (args, lines) => {
  const { code, stdout, stderr } = await run(args, temporaryFolder('usage'));
  expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([2, '', lines]);
});
