// The command line of `punchboard explain`: options and words; the work is done in ../explain/explain.ts.

import { finish, type Register } from './command.js';
import type { ExplainOptions } from './explain/explain.js';

export const registerExplain: Register = (program, io) => {
  program
    .command('explain')
    .description('explain a code, or where a route, column, parameter or property comes from')
    .argument('<what...>', "E0203, 'POST /api/name' or name.column")
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'folder of what was made', 'generated')
    .addHelpText('after', '\nExit codes: 0 done; 1 it does not exist, or the descriptors have mistakes; 2 wrong usage.')
    .action(async (what: readonly string[], options: ExplainOptions) => {
      const { explain } = await import('./explain/explain.js');
      finish(explain(what.join(' '), options), io);
    });
};
