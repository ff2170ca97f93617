// `punchboard openapi`: prints the API document of a wire profile.

import type { Command } from 'commander';
import type { Profile } from '../../http/profiles.js';
import { generatedOption, type Io, runCommand, setUpCommand, wireOption } from './command.js';

interface OpenapiOptions {
  readonly wire: Profile['name'];
  readonly generated?: string;
}

/** Adds `openapi` to the program. */
export function registerOpenapiCommand(program: Command, io: Io): void {
  const command = program
    .command('openapi')
    .description('print the API document of a wire profile, as a server with that profile serves it at /openapi.json')
    .addOption(wireOption())
    .addOption(generatedOption());
  setUpCommand(command, io).action((options: OpenapiOptions) => runCommand(io, () => openapi(options, io)));
}

async function openapi(options: OpenapiOptions, { stdout }: Io): Promise<void> {
  const { wire, generated = null } = options;
  const [{ PROFILES }, { readDocument }] = await Promise.all([
    import('../../http/profiles.js'),
    import('../../server/load-generated.js'),
  ]);
  stdout.write(PROFILES[wire].document(readDocument(generated)).toString());
}
