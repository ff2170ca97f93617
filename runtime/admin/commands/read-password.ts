// Reads a password for a command from standard input, or typed twice on a terminal without echo. Never from an argument,
// which every user of the machine can see.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from '../../contract/command-error.js';
import type { InputStream, Io } from './command.js';

/** All of standard input, without the final line break. */
export async function passwordFrom(stdin: InputStream): Promise<string> {
  const password = (await text(stdin)).replace(/\r?\n$/, '');
  if (password === '') throw new CommandError('there is no password on standard input');
  return password;
}

/** Asks for a password twice; throws a CommandError if the two differ. */
export async function askPassword({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  // The iterator keeps lines that are typed ahead.
  const typed = lines[Symbol.asyncIterator]();
  try {
    const answers: string[] = [];
    for (const question of ['Password: ', 'Repeat password: ']) {
      stderr.write(question);
      const { done, value } = await typed.next();
      stderr.write('\n');
      if (done) throw new CommandError('no password was typed');
      answers.push(value);
    }
    const [password = '', again] = answers;
    if (password !== again) throw new CommandError('the two passwords differ');
    return password;
  } finally {
    lines.close();
  }
}
