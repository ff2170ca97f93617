// The operators' commands. Each is loaded only when it is called, or listed with the others.

import type { Command } from 'commander';
import type { Io } from './command.js';

export { completeEnvironment } from './environment.js';

/** Adds one command to the program. */
type Register = (program: Command, io: Io) => void;

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Register>> = {
  serve: () => (require('./serve-command.js') as typeof import('./serve-command.js')).registerServeCommand,
  openapi: () => (require('./openapi-command.js') as typeof import('./openapi-command.js')).registerOpenapiCommand,
  user: () => (require('./user-commands.js') as typeof import('./user-commands.js')).registerUserCommands,
  audit: () => (require('./audit-command.js') as typeof import('./audit-command.js')).registerAuditCommand,
  migrate: () => (require('./migrate-commands.js') as typeof import('./migrate-commands.js')).registerMigrateCommands,
  copy: () => (require('./copy-command.js') as typeof import('./copy-command.js')).registerCopyCommand,
  completion: () =>
    (require('./completion-command.js') as typeof import('./completion-command.js')).registerCompletionCommand,
  backup: () => (require('./backup-command.js') as typeof import('./backup-command.js')).registerBackupCommand,
  restore: () => (require('./backup-command.js') as typeof import('./backup-command.js')).registerRestoreCommand,
  webhooks: () => loadWebhooks().registerWebhookCommands,
  event: () => loadWebhooks().registerEventCommands,
};

function loadWebhooks() {
  return require('../webhooks/admin/commands.js') as typeof import('../webhooks/admin/commands.js');
}

/** Their names. */
export const OPERATOR_COMMANDS: readonly string[] = Object.keys(COMMANDS);

/** Adds operators' commands to the program. @param names all of them by default */
export function registerOperatorCommands(program: Command, io: Io, names = OPERATOR_COMMANDS): void {
  const { restrictNewFiles } = require('./file-modes.js') as typeof import('./file-modes.js');
  restrictNewFiles(program);
  for (const name of names) COMMANDS[name]?.()(program, io);
}
