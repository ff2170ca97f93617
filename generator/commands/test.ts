// `punchboard test`: runs the tests that gen wrote for each resource.

import { runGeneratedTests } from '../write/run-tests.js';
import { finish, type Register } from './command.js';
import { withGeneratedOption } from './project.js';

export const registerTest: Register = (program, io) => {
  withGeneratedOption(program.command('test'))
    .description('run the generated tests of a service: each starts the service and compares it with its descriptor')
    .argument('[resource...]', 'names of resources; all by default')
    .addHelpText('after', '\nExit codes: 0 all passed; 1 some failed, or could not run; 2 wrong usage.')
    .action((resources: readonly string[], { generated }: { generated: string }) => {
      const problem = runGeneratedTests(generated, resources);
      const stderr = problem === null ? '' : `${problem}\n`;
      finish({ code: problem === null ? 0 : 1, stdout: '', stderr }, io);
    });
};
