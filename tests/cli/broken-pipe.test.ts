// Nobody reads the output of a command: it ends as usual, without a message about the pipe.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, ROOT, temporaryFolder } from '../support/paths.js';

const folder = temporaryFolder('pipe');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of the generator and of the server, with little and with much to say; and the exit code with a reader. */
const COMMANDS: readonly (readonly [code: number, ...args: string[]])[] = [
  [0, '--help'],
  [1, 'gen', '--check', '--out', join(folder, 'never-made')],
  [0, 'graph'],
  [1, 'migrate', 'plan', '--database', join(folder, 'none.db')],
];

/** The exit code, and what was said on the stream that somebody reads. */
async function unread(stream: 'stdout' | 'stderr', args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env: { PATH: process.env.PATH ?? '' } });
  child[stream].destroy();
  let said = '';
  child[stream === 'stdout' ? 'stderr' : 'stdout'].on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

describe('F37: a reader that goes away ends no command', () => {
  test.each(COMMANDS.map(([code, ...args]) => ({ args, code })))('$args', async ({ code, args }) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const ended = await unread(stream, args);
      expect(ended).toEqual({ code, said: expect.not.stringContaining('EPIPE') });
    }
  });
});
