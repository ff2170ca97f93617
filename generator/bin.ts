#!/usr/bin/env node
// The one `punchboard` command. It alone knows both sides, and loads only the one that is asked for.

import { Command } from 'commander';

async function main(): Promise<void> {
  const program = new Command('punchboard')
    .description('Makes an API service from YAML descriptors, and runs it.')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .addHelpText('after', '\nExit codes: 0 done; 1 refused or failed; 2 wrong usage.');
  addGen(program);
  const { registerOperatorCommands } = await import('../runtime/cli.js');
  registerOperatorCommands(program, { env: process.env, stdout: process.stdout, stderr: process.stderr });
  await program.parseAsync();
}

function addGen(program: Command): void {
  program
    .command('gen')
    .description('make the code, tables and API document that the descriptors stand for')
    .option('--spec <folder>', 'folder of the descriptors', 'spec')
    .option('--out <folder>', 'folder for what is made', 'generated')
    .option('--check', 'write nothing; print what would change and exit 1 if anything would', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 mistakes in the descriptors, or stale outputs (--check); 2 wrong usage.',
    )
    .action(async (options: { spec: string; out: string; check: boolean }) => {
      const { gen } = await import('./gen.js');
      const result = gen(options);
      process.stdout.write(result.stdout);
      process.stderr.write(result.stderr);
      process.exitCode = result.code;
    });
}

void main();
