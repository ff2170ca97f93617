// `punchboard import`: records of another service, one line of JSON each. The work is done in import-work.ts.
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { Command } from 'commander';
import { CommandError } from '../../contract/command-error.js';
import type { Service } from '../../server/open-service.js';
import { generatedOption, type Io, refuseMissing, runCommand, setUpCommand, withDatabase } from './command.js';
import type { IdMapping } from './import-work.js';
import type { DatabaseOptions } from './operator-reports.js';
import { withService } from './service.js';

interface ImportOptions extends DatabaseOptions {
  readonly username: string;
  readonly mapping?: string;
}

/** Adds `import` to the program. */
export function registerImportCommand(program: Command, io: Io): void {
  const command = program
    .command('import')
    .argument('<file>', 'records, parents first: one line of JSON each, with "object_type", "id" and parameters')
    .description(
      'import the records of another service on behalf of a user; ids are kept where an administrator may choose them, ' +
        'and the mapping lists all others; after an interruption, run it again to continue',
    );
  withDatabase(command, io, '')
    .requiredOption('--username <name>', 'the user who creates the records')
    .option('--mapping <file>', 'old and new ids, one line of JSON each; FILE.ids by default')
    .addOption(generatedOption());
  setUpCommand(command, io).action((file: string, options: ImportOptions) =>
    runCommand(io, () => run(file, options, io)),
  );
}

async function run(file: string, options: ImportOptions, { stdout }: Io): Promise<void> {
  const { username, mapping = `${file}.ids` } = options;
  refuseMissing(options.database);
  const text = readFileSync(file, 'utf8');
  const mapped = mappedIn(mapping);
  const { importRecords } = await import('./import-work.js');
  await withService(options, async (service, { author }) => {
    const account = await service.engine.identity.account(username);
    if (account === null) throw new CommandError(`there is no user ${username}`);
    const caller = { user: account.id, admin: await isAdmin(service, account.id), author };
    const keep = (one: IdMapping) => appendFileSync(mapping, `${JSON.stringify(one)}\n`);
    const { created, kept, known } = await importRecords(service, { text, mapped, caller, keep, now: Date.now });
    const before = `${known} were there already`;
    stdout.write(`Imported ${created} (${kept} with their own ids), ${before}; ids are in ${mapping}.\n`);
  });
}

async function isAdmin({ operations, principal }: Service, id: string): Promise<boolean> {
  const caller = { user: null, admin: true };
  const call = { definition: principal, id, name: '', parameters: {}, caller, now: Date.now(), upload: null };
  const { body } = await operations.fetch(call);
  return (JSON.parse(body) as { readonly admin?: unknown }).admin === true;
}

/** Throws CommandError for a line that is not a mapping. A line that was cut off is dropped: its record is found again. */
function mappedIn(mapping: string): readonly IdMapping[] {
  if (!existsSync(mapping)) return [];
  const text = readFileSync(mapping, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) truncateSync(mapping, Buffer.byteLength(whole));
  return whole.split('\n').flatMap((line, at) => {
    if (line === '') return [];
    const mapped = parsed(line);
    if (mapped !== null) return [mapped];
    throw new CommandError(`${mapping}: line ${at + 1}: it is not {"type": …, "from": …, "to": …}`);
  });
}

function parsed(line: string): IdMapping | null {
  try {
    const { type, from, to } = JSON.parse(line) as Partial<IdMapping>;
    return typeof type === 'string' && typeof from === 'string' && typeof to === 'string' ? { type, from, to } : null;
  } catch {
    return null;
  }
}
