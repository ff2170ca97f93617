// The operators' commands. Each is loaded only when it is called, or listed with the others.

import type { Command } from 'commander';
import type { Io } from './commands/command.js';

export { completeEnvironment } from '../server/environment.js';

/** Adds one command to the program. */
type Register = (program: Command, io: Io) => void;

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Register>> = {
  serve: () =>
    (require('./commands/serve-command.js') as typeof import('./commands/serve-command.js')).registerServeCommand,
  openapi: () =>
    (require('./commands/openapi-command.js') as typeof import('./commands/openapi-command.js')).registerOpenapiCommand,
  user: () =>
    (require('./commands/user-commands.js') as typeof import('./commands/user-commands.js')).registerUserCommands,
  key: () => (require('./commands/key-commands.js') as typeof import('./commands/key-commands.js')).registerKeyCommands,
  audit: () =>
    (require('./commands/audit-command.js') as typeof import('./commands/audit-command.js')).registerAuditCommand,
  migrate: () =>
    (require('./commands/migrate-commands.js') as typeof import('./commands/migrate-commands.js'))
      .registerMigrateCommands,
  copy: () =>
    (require('./commands/copy-command.js') as typeof import('./commands/copy-command.js')).registerCopyCommand,
  import: () =>
    (require('./commands/import-command.js') as typeof import('./commands/import-command.js')).registerImportCommand,
  completion: () =>
    (require('./commands/completion-command.js') as typeof import('./commands/completion-command.js'))
      .registerCompletionCommand,
  backup: () =>
    (require('./commands/backup-command.js') as typeof import('./commands/backup-command.js')).registerBackupCommand,
  restore: () =>
    (require('./commands/backup-command.js') as typeof import('./commands/backup-command.js')).registerRestoreCommand,
  webhooks: () => loadWebhooks().registerWebhookCommands,
  listen: () =>
    (require('./webhooks/listen-command.js') as typeof import('./webhooks/listen-command.js')).registerListenCommand,
  event: () => loadWebhooks().registerEventCommands,
};

function loadWebhooks() {
  return require('./webhooks/commands.js') as typeof import('./webhooks/commands.js');
}

/** Their names. */
export const OPERATOR_COMMANDS: readonly string[] = Object.keys(COMMANDS);

/** Adds operators' commands to the program. @param names all of them by default */
export function registerOperatorCommands(program: Command, io: Io, names = OPERATOR_COMMANDS): void {
  const { restrictNewFiles } = require('../server/file-modes.js') as typeof import('../server/file-modes.js');
  restrictNewFiles(program);
  for (const name of names) COMMANDS[name]?.()(program, io);
}
