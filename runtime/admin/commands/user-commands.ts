// `punchboard user …`: lists accounts, creates them, sets passwords and flags, with the checks of the API (D35), even beside a
// running server. Its changes are in the audit log.

import { Argument, type Command } from 'commander';
import { ROLES, type Role, roleOf, roleParameters } from '../../auth/roles.js';
import type { AnyDefinition, Input } from '../../contract/definition.js';
import type { ListedAccount } from '../../store/engine.js';
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
import { askPassword, passwordFrom } from './read-password.js';
import { withService } from './service.js';
import { table } from './table.js';

interface UserOptions extends DatabaseOptions {
  readonly username: string;
  readonly passwordStdin?: boolean;
}

/** Adds `user add|list|passwd|admin|role|disable|enable` to the program. */
export function registerUserCommands(program: Command, io: Io): void {
  const user = setUpCommand(program.command('user').description('manage the users of a database'), io);
  addAdd(user, io);
  addPasswd(user, io);
  addList(user, io);
  for (const flag of FLAGS) addFlag(user, io, flag);
}

function addAdd(user: Command, io: Io): void {
  const command = user
    .command('add')
    .description('add a user and print it as JSON; a server may be running on the database')
    .option('--admin', 'make the user an administrator');
  setUpCommand(withPasswordOption(withUserOptions(command, io, ', created if missing')), io).action(
    (options: UserOptions & { admin?: boolean }) =>
      runCommand(io, async () => {
        const { addUser } = await import('../../auth/add-user.js');
        const { username, admin = false } = options;
        const password = await passwordOf(command, options, io);
        await withService(options, async (service, { author, now }) =>
          print(io, await addUser(service, { username, password, admin, author }, now)),
        );
      }),
  );
}

function addPasswd(user: Command, io: Io): void {
  const command = user
    .command('passwd')
    .description('set the password of a user and end their sessions; a server may be running on the database');
  setUpCommand(withPasswordOption(withUserOptions(command, io)), io).action((options: UserOptions) =>
    runCommand(io, async () => {
      refuseMissing(options.database);
      const { changeUser } = await import('../../auth/change-user.js');
      const password = await passwordOf(command, options, io);
      await withService(options, async (service, by) =>
        print(io, await changeUser(service, { username: options.username, parameters: { password } }, by)),
      );
    }),
  );
}

interface Flag {
  readonly name: string;
  readonly says: string;
  /** The parameters of the API call. @param argument of the command; empty: it takes none */
  parameters(principal: AnyDefinition, options: { readonly revoke?: boolean }, argument: string): Input;
}

const FLAGS: readonly Flag[] = [
  {
    name: 'admin',
    says: 'make a user an administrator, or with --revoke an ordinary user',
    parameters: (principal, { revoke = false }) => roleParameters(principal, revoke ? 'none' : 'admin'),
  },
  {
    name: 'role',
    says: "give a user a role on the operators' pages, replacing any other: readonly reads, support also retries deliveries",
    parameters: (principal, _, role) => roleParameters(principal, role as Role),
  },
  {
    name: 'disable',
    says: 'disable a user: they cannot log in, their sessions end, their web hooks pause; their records stay',
    parameters: () => ({ disabled: true }),
  },
  {
    name: 'enable',
    says: 'enable a disabled user again; their web hooks go on',
    parameters: () => ({ disabled: false }),
  },
];

function addFlag(user: Command, io: Io, { name, says, parameters }: Flag): void {
  const command = withUserOptions(user.command(name).description(says), io);
  if (name === 'admin') command.option('--revoke', 'the user is no longer an administrator');
  if (name === 'role') {
    const choices = ROLES.filter((role) => role !== 'admin');
    command.addArgument(new Argument('<role>', 'none makes the user an ordinary user').choices(choices));
  }
  setUpCommand(command, io).action(() =>
    runCommand(io, async () => {
      const options = command.opts<UserOptions & { readonly revoke?: boolean }>();
      refuseMissing(options.database);
      const { changeUser } = await import('../../auth/change-user.js');
      const { username } = options;
      await withService(options, async (service, by) => {
        const sent = parameters(service.principal, options, command.args[0] ?? '');
        print(io, await changeUser(service, { username, parameters: sent }, by));
      });
    }),
  );
}

function addList(user: Command, io: Io): void {
  const command = withDatabase(user.command('list').description('list all users by name'), io, '');
  setUpCommand(command.addOption(generatedOption()).addOption(formatOption()), io).action(
    (options: DatabaseOptions & { readonly format: Format }) =>
      runCommand(io, async () => {
        const all = await withReports(options, async (reports) => {
          const accounts: ListedAccount[] = [];
          for (let more = true; more; ) {
            const page = await reports.accounts({ after: accounts.at(-1)?.username ?? null, limit: PAGE });
            accounts.push(...page);
            more = page.length === PAGE;
          }
          return accounts;
        });
        io.stdout.write(formatOutput(options.format, all, accountsText));
      }),
  );
}

/** Accounts that are read together. */
const PAGE = 1000;

function accountsText(accounts: readonly ListedAccount[]): string {
  if (accounts.length === 0) return 'There are no users.\n';
  const rows = accounts.map(({ id, username, disabled, ...account }) => [
    ...[username, id],
    ...[roleOf(account).replace('none', '-'), disabled ? 'disabled' : '-'],
  ]);
  return table([['USERNAME', 'ID', 'ROLE', 'DISABLED'], ...rows]);
}

/** @param ifMissing what the help says about a database that does not exist */
function withUserOptions(command: Command, io: Io, ifMissing = ''): Command {
  return withDatabase(command, io, ifMissing)
    .requiredOption('--username <name>', 'name to log in with')
    .addOption(generatedOption());
}

function withPasswordOption(command: Command): Command {
  return command.option('--password-stdin', 'read the password from standard input instead of asking on the terminal');
}

function print({ stdout }: Io, line: string): void {
  stdout.write(`${line}\n`);
}

async function passwordOf(command: Command, { passwordStdin }: UserOptions, { stdin, stderr }: Io): Promise<string> {
  if (passwordStdin) return passwordFrom(stdin);
  if (stdin.isTTY === true) return askPassword({ stdin, stderr });
  return command.error('error: without a terminal, pass the password on standard input with --password-stdin');
}
