// The command line of `punchboard graph`: options and words; the work is done in ../overview.

import { finish, type Register } from './command.js';

export const registerGraph: Register = (program, io) => {
  program
    .command('graph')
    .description('write the entity diagram, as Mermaid takes it')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--fields', 'with the stored fields of each resource', false)
    .addHelpText('after', '\nExit codes: 0 done; 1 mistakes in the descriptors; 2 wrong usage.')
    .action(async ({ spec: folder, fields }: { spec: string; fields: boolean }) => {
      const { withSpec } = await import('./overview/clean-spec.js');
      const { graph } = await import('./overview/graph.js');
      finish(
        withSpec(folder, (spec) => ({ code: 0, stdout: graph(spec, fields), stderr: '' })),
        io,
      );
    });
};
