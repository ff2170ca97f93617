// `punchboard user …`: creates accounts and sets passwords, with the checks of the API (D35), even beside a running server.

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { attempt, generatedOption, type Io, namedOutsideProject, settle, withDatabase } from './command.js';
import type { Service } from './open-service.js';
import { askPassword, passwordFrom } from './read-password.js';

interface UserOptions {
  readonly database: string;
  readonly username: string;
  readonly passwordStdin?: boolean;
  readonly generated?: string;
}

interface UserAddOptions extends UserOptions {
  readonly admin?: boolean;
}

/** Adds `user add` and `user passwd` to the program. */
export function registerUserCommands(program: Command, io: Io): void {
  const user = settle(program.command('user').description('manage the users of a database'), io);
  const add = user
    .command('add')
    .description('add a user and print it as JSON; a server may be running on the database')
    .option('--admin', 'make the user an administrator');
  settle(withUserOptions(add, io), io).action((options: UserAddOptions) =>
    attempt(io, () => userAdd(add, options, io)),
  );
  const passwd = user
    .command('passwd')
    .description('set the password of a user and end their sessions; a server may be running on the database');
  settle(withUserOptions(passwd, io), io).action((options: UserOptions) =>
    attempt(io, () => userPasswd(passwd, options, io)),
  );
}

function withUserOptions(command: Command, io: Io): Command {
  return withDatabase(command, io)
    .requiredOption('--username <name>', 'name to log in with')
    .option('--password-stdin', 'read the password from standard input instead of asking on the terminal')
    .addOption(generatedOption());
}

async function userAdd(command: Command, options: UserAddOptions, io: Io): Promise<void> {
  const { username, admin = false } = options;
  const { addUser } = await import('../auth/add-user.js');
  await withPassword(command, options, io, (service, password, now) =>
    addUser(service, { username, password, admin }, now),
  );
}

async function userPasswd(command: Command, options: UserOptions, io: Io): Promise<void> {
  const { setPassword } = await import('../auth/set-password.js');
  await withPassword(command, options, io, (service, password, now) =>
    setPassword(service, { username: options.username, password }, now),
  );
}

type Work = (service: Service, password: string, now: number) => Promise<string>;

/** Prints what `work` returns. */
async function withPassword(command: Command, options: UserOptions, io: Io, work: Work): Promise<void> {
  namedOutsideProject(command);
  const password = await passwordOf(command, options, io);
  const now = Date.now();
  const { database, generated = null } = options;
  const { openService } = await import('./open-service.js');
  const service = await openService({ database, wire: 'plain', generated, owner: false, random: randomBytes }, now);
  try {
    io.stdout.write(`${await work(service, password, now)}\n`);
  } finally {
    await service.engine.close();
  }
}

async function passwordOf(command: Command, { passwordStdin }: UserOptions, { stdin, stderr }: Io): Promise<string> {
  if (passwordStdin) return passwordFrom(stdin);
  if (stdin.isTTY === true) return askPassword({ stdin, stderr });
  return command.error('error: without a terminal, pass the password on standard input with --password-stdin');
}
