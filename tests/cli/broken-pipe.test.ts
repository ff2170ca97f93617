// A command whose output nobody reads ends as usual, without a message about the pipe; one whose output cannot be written fails.

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('pipe');

/** Commands of the generator and of the server, with short and long outputs, and their exit codes with a reader. */
const COMMANDS: readonly (readonly [code: number, ...args: string[]])[] = [
  [0, 'completion', 'bash'],
  [1, 'explain', 'E9999'],
  [2, 'check', '--spec', folder],
  [0, 'graph'],
];

/** The exit code, and the output on the stream that is read. */
async function unread(stream: 'stdout' | 'stderr', args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env: { PATH: process.env.PATH ?? '' } });
  child[stream].destroy();
  let message = '';
  child[stream === 'stdout' ? 'stderr' : 'stdout'].on('data', (chunk: Buffer) => (message += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, message };
}

describe('F37: a reader that goes away ends no command', () => {
  test.each(COMMANDS.map(([code, ...args]) => ({ args, code })))('$args', async ({ code, args }) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const ended = await unread(stream, args);
      expect(ended).toEqual({ code, message: expect.not.stringContaining('EPIPE') });
    }
  });
});

test.each([[['graph']], [['completion', 'bash']], [['list']]])(
  '%s fails with one line where standard output is a full disk',
  (args) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'punchboard: cannot write to standard output: ENOSPC: no space left on device, write\n',
    });
  },
);
