// The command line of `punchboard list`: options and words; the work is done in ../overview.

import { finish, type Register } from './command.js';

export const registerList: Register = (program, io) => {
  program
    .command('list')
    .description('show the resources, or the fields of one, as a table')
    .argument('[resource]', 'name of a resource')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 there is no such resource, or mistakes in the descriptors; 2 wrong usage.',
    )
    .action(async (resource: string | undefined, { spec: folder }: { spec: string }) => {
      const { withSpec } = await import('./overview/clean-spec.js');
      const { list } = await import('./overview/list.js');
      finish(
        withSpec(folder, (spec) => list(spec, resource)),
        io,
      );
    });
};
