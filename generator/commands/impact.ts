// The command line of `punchboard impact`: options and words; the work is done in ../impact.

import { Option } from 'commander';
import type { CountRows } from '../impact/data.js';
import type { ImpactOptions } from '../impact/run.js';
import { finish, type Register } from './command.js';

/** What the command needs of the world besides files: a date, and a database that the generator may not open itself. */
export interface World {
  /** YYYY-MM-DD. */
  today(): string;
  /** Null: there is no database at the path. */
  openRows(path: string): Promise<{ readonly count: CountRows; close(): void } | null>;
}

export const registerImpact =
  (world: World): Register =>
  (program, io) => {
    program
      .command('impact')
      .description('report what an edit of the descriptors does to callers, stored data and web hooks')
      .option('--base <ref>', 'commit to compare with', 'HEAD')
      .option('--spec <folder>', 'folder of the descriptors', 'spec')
      .option('--database <file>', 'count the rows at risk in this database, which is only read')
      .option(
        '--metrics <file>',
        'a saved GET /metrics of a running service, to see whether deprecated items are still used',
      )
      .addOption(
        new Option('--format <form>', 'text for people, markdown for a pull request, json for programs')
          .choices(['text', 'markdown', 'json'])
          .default('text'),
      )
      .addHelpText(
        'after',
        '\nExit codes: 0 nothing breaking, or all of it accepted in impact.yaml; 1 the spec cannot be read or has mistakes; 2 something is breaking, or wrong usage.',
      )
      .action(async ({ database, ...options }: ImpactOptions & { database?: string }) => {
        const { runImpact } = await import('../impact/run.js');
        const rows = database === undefined ? null : await world.openRows(database);
        if (database !== undefined && rows === null) {
          return finish({ code: 2, stdout: '', stderr: `${database} does not exist or is not a database\n` }, io);
        }
        try {
          finish(runImpact(options, { today: world.today(), count: rows?.count ?? null }), io);
        } finally {
          rows?.close();
        }
      });
  };
