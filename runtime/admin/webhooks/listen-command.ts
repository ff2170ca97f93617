// `punchboard listen`: shows the web hook callbacks that arrive at a port of this machine.

import { type Command, InvalidArgumentError } from 'commander';
import { type Io, option, runCommand, setUpCommand, wholeNumber } from '../commands/command.js';

interface Options {
  readonly port: number;
  readonly secret?: readonly string[];
  readonly answer: readonly number[];
  readonly delayMs: number;
  readonly count?: number;
}

/** Adds `listen` to the program. */
export function registerListenCommand(program: Command, io: Io): void {
  const command = program
    .command('listen')
    .description('show the web hook callbacks that arrive at a port of this machine, and answer them')
    .option('--port <number>', 'port to listen on; 0 for any free one', wholeNumber(65_535), 8080)
    .addOption(
      option(
        '--secret <text>',
        'private key of the API key, or whsec_… secret of the web hook, to verify signatures with (repeatable); without it they are not checked',
        'WEBHOOK_SECRET',
      ).argParser((text, before: readonly string[] = []) => [...before, text]),
    )
    .option(
      '--answer <statuses>',
      'statuses of the answers, separated by commas; the last one repeats',
      statuses,
      [200],
    )
    .option('--delay-ms <number>', 'milliseconds before each answer', wholeNumber(60_000), 0)
    .option(
      '--count <number>',
      'exit after this many callbacks; without it, Ctrl-C ends it',
      wholeNumber(1_000_000, 1),
    );
  setUpCommand(command, io)
    .addHelpText(
      'after',
      '\nWith a secret, the exit code is 1 if any callback has a signature that a receiver should refuse.',
    )
    .action(({ port, secret = [], answer, delayMs, count }: Options) =>
      runCommand(io, async () => {
        const { listen } = await import('./listen.js');
        const stop = new AbortController();
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
        const { refused } = await listen(
          { port, secrets: secret, answers: answer, delay: delayMs, count: count ?? null },
          { write: (text) => io.stdout.write(text), now: Date.now, stop: stop.signal },
        );
        if (refused > 0) (io.exit ?? process.exit)(1);
      }),
    );
}

function statuses(text: string): readonly number[] {
  const all = text.split(',').map(Number);
  if (all.every((status) => Number.isInteger(status) && status >= 200 && status <= 599)) return all;
  throw new InvalidArgumentError('It must be statuses from 200 to 599, such as 500,500,200.');
}
