// `punchboard test`: runs the tests that gen wrote for each resource, and the project's own.

import { runTests } from '../write/run-tests.js';
import { attempt, finish, type Register } from './command.js';
import { withGeneratedOption } from './project.js';

export const registerTest: Register = (program, io) => {
  withGeneratedOption(program.command('test'))
    .description(
      'run the tests of a service: the generated ones, which compare it with its descriptors, and those in tests/',
    )
    .argument('[resource...]', 'names of resources, whose generated tests are run; everything by default')
    .addHelpText('after', '\nExit codes: 0 all passed; 1 some failed or could not run; 2 wrong usage.')
    .action((resources: readonly string[], { generated }: { generated: string }) => {
      const work = () => {
        const problem = runTests(generated, resources);
        return { code: problem === null ? 0 : 1, stdout: '', stderr: problem === null ? '' : `${problem}\n` } as const;
      };
      finish(attempt(work), io);
    });
};
