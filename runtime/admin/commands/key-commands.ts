// `punchboard key …`: creates and revokes the API keys of a user, whose tokens programs send (D61), by the operations of the
// API, and lists them. Its changes are in the audit log.

import type { Command } from 'commander';
import { apiKeysOf } from '../../auth/login.js';
import { CommandError } from '../../contract/command-error.js';
import type { AnyDefinition, Input } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Service } from '../../server/open-service.js';
import type { ListedKey } from '../../store/engine.js';
import {
  type Format,
  formatOption,
  formatOutput,
  generatedOption,
  type Io,
  refuseMissing,
  runCommand,
  setUpCommand,
  withDatabase,
} from './command.js';
import { type DatabaseOptions, withReports } from './operator-reports.js';
import { type AuthorAndTime, withService } from './service.js';
import { table } from './table.js';

type Call = Parameters<Service['operations']['create']>[0];

interface NewKey extends DatabaseOptions {
  readonly username: string;
  readonly name: string;
  readonly scope?: string;
  readonly resources?: string;
  readonly expires?: string;
  readonly apiVersion?: string;
}

/** Adds `key add|list|renew|revoke` to the program. */
export function registerKeyCommands(program: Command, io: Io): void {
  const key = setUpCommand(program.command('key').description('manage the API keys of users'), io);
  addAdd(key, io);
  addList(key, io);
  addOnOne(key, io, 'renew', 'create a new token for a key and print it; the old one stops working immediately', renew);
  addOnOne(key, io, 'revoke', 'delete a key; its token stops working immediately', revoke);
}

function addAdd(key: Command, io: Io): void {
  const command = ofUser(
    key.command('add').description('create an API key and print it with its token, which is not shown again'),
    io,
  )
    .requiredOption('--name <text>', 'name of the program')
    .option('--scope <scope>', 'what it may do: read or write (default: read)')
    .option('--resources <resources>', 'names of the resources that it may use, separated by commas (default: all)')
    .option('--expires <date>', 'when it expires, such as 2031-01-31T00:00:00Z (default: never)')
    .option(
      '--api-version <date>',
      'version of the API that it remembers, or newest (default: that of callers who name none)',
    );
  setUpCommand(command, io).action((options: NewKey) =>
    runCommand(io, () =>
      withKeys(options, io, async (keys) => {
        const { name, scope, resources, expires, apiVersion } = options;
        const parameters = {
          ...{ user_id: await keys.owner(options.username), name },
          ...(scope && { scope }),
          ...(resources && { resources: resources.split(',') }),
          ...(expires && { expires }),
          ...(apiVersion && { api_version: apiVersion }),
        };
        const unknown = Object.keys(parameters).find((one) => !Object.hasOwn(keys.definition.parameters, one));
        if (unknown !== undefined) throw new CommandError(`API keys have no ${unknown} here.`);
        return `${(await keys.service.operations.create(keys.call({ parameters }))).body}\n`;
      }),
    ),
  );
}

interface ListKeys extends DatabaseOptions {
  readonly username: string;
  readonly format: Format;
}

function addList(key: Command, io: Io): void {
  const command = ofUser(key.command('list').description('list the API keys of a user'), io).addOption(formatOption());
  setUpCommand(command, io).action((options: ListKeys) =>
    runCommand(io, () =>
      withReports(options, async ({ keys }) => {
        if (keys === null) throw withoutTokens();
        const keysOfUser = await keys(options.username);
        if (keysOfUser === null) throw unknownUser(options.username);
        io.stdout.write(formatOutput(options.format, keysOfUser, keysText));
      }),
    ),
  );
}

type KeyWork = (keys: Keys, id: string) => Promise<string>;

function addOnOne(key: Command, io: Io, name: string, says: string, work: KeyWork): void {
  const command = withDatabase(key.command(name).description(says).argument('<id>', 'id of the key'), io, '');
  setUpCommand(command.addOption(generatedOption()), io).action((id: string, options: DatabaseOptions) =>
    runCommand(io, () => withKeys(options, io, async (keys) => `${await work(keys, id)}\n`)),
  );
}

const renew: KeyWork = async ({ service, call, definition }, id) =>
  (await service.operations.action(call({ id, name: definition.token ?? '' }))).body;

const revoke: KeyWork = async ({ service, call }, id) => (await service.operations.remove(call({ id }))).body;

function ofUser(command: Command, io: Io): Command {
  return withDatabase(command, io, '')
    .requiredOption('--username <name>', 'name of the user')
    .addOption(generatedOption());
}

/** The parts of a service that the commands need. */
interface Keys {
  readonly service: Service;
  readonly definition: AnyDefinition;
  /** A call for all keys. */
  call(more: Partial<Omit<Call, 'parameters'>> & { readonly parameters?: Input }): Call;
  /** The id of the user who has the name. */
  owner(username: string): Promise<string>;
}

/** Prints what `work` returns. */
async function withKeys(options: DatabaseOptions, io: Io, work: (keys: Keys) => Promise<string>): Promise<void> {
  refuseMissing(options.database);
  await withService(options, async (service, by) => void io.stdout.write(await work(keysOf(service, by))));
}

function keysOf(service: Service, { author, now }: AuthorAndTime): Keys {
  const definition = apiKeysOf(service.definitions, service.principal);
  if (definition?.token === undefined) throw withoutTokens();
  const shared = { definition, id: '', name: '', parameters: {}, upload: null, now };
  return {
    service,
    definition,
    call: (more) => ({ ...shared, caller: { user: null, admin: true, author }, ...more }),
    async owner(username) {
      const account = await service.engine.identity.account(username);
      if (account === null) throw unknownUser(username);
      return account.id;
    },
  };
}

function withoutTokens(): CommandError {
  return new CommandError('API keys have no tokens here: see "kind: token".');
}

function unknownUser(username: string): ServiceError {
  return new ServiceError('not_found', `There is no user ${username}.`);
}

function keysText(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'The user has no API keys.\n';
  const rows = keys.map(({ id, name, scope, resources, expires, last_used: used, api_version: version }) => [
    ...[name ?? '-', id, scope ?? '-', resources?.join(',') ?? 'all'],
    ...[expires ?? 'never', used ?? 'never', version ?? 'default'],
  ]);
  return table([['NAME', 'ID', 'SCOPE', 'RESOURCES', 'EXPIRES', 'LAST USED', 'API VERSION'], ...rows]);
}
