// `punchboard dev`: gen and the service together, both restarted after each edit, for people who work on a project.

import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { isDefaultProject } from '../../runtime/project/command-line.js';
import { serveBeside } from '../write/serve-beside.js';
import { finish, type Register } from './command.js';
import { keepRunning } from './gen.js';
import { withOutOption, withSpecOption } from './project.js';

interface Options {
  readonly spec: string;
  readonly out: string;
  readonly port: string;
}

export const registerDev: Register = (program, io) => {
  withOutOption(
    withSpecOption(
      program
        .command('dev')
        .description(
          "generate, compile and serve, with examples, the operators' pages and a page to try the API; repeat after each edit",
        ),
    ),
  )
    .option('--port <number>', 'port to serve on', portOf, '3000')
    .addHelpText('after', '\nExit codes: 0 stopped; 1 the service does not start; 2 wrong usage.')
    .action(({ spec, out, port }: Options) => {
      io.stdout.write(`A page to try the API: http://127.0.0.1:${port}/docs\n`);
      const server = serveBeside(
        ['--watch', '--console', '--demo', '--port', port, ...generatedOption(spec, out)],
        (code) => {
          finish({ code: code === 0 ? 0 : 1, stdout: '', stderr: '' }, io);
          process.exit();
        },
      );
      const options = { check: false, diff: false, force: [], stats: true, watch: true, colour: io.colour } as const;
      keepRunning({ ...options, spec, out }, io, ({ code }) => {
        if (code === 0) server.start();
      });
    });
};

/** The usual folders need not be named, and do not appear in the server's messages either. */
function generatedOption(spec: string, out: string): readonly string[] {
  return isDefaultProject(spec, out) ? [] : ['--generated', resolve(out)];
}

function portOf(text: string): string {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be a port, 0 to 65535.');
  return text;
}
