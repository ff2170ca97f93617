// Commands about users that the output of `serve` suggests, ready to paste.

import type { Command } from 'commander';
import { programName } from '../../project/command-line.js';
import { hasPassword } from '../../store/database-url.js';
import { DATABASE } from './command.js';
/** How to create the first user, as a command to paste. */
export function firstUser(flags: string): string {
  return `There are no users yet. To create one: ${userCommand('add', flags)} [--admin]`;
}

/** A command about a user, to paste. */
export function userCommand(name: string, flags: string, username = 'NAME'): string {
  return `${programName()} user ${name} --username ${username}${flags}`;
}

/** The flags with which a command about a user finds the same database. Settings of the environment apply to it as well. */
export function userFlags(command: Command): string {
  return ['database', 'generated']
    .filter((option) => command.getOptionValueSource(option) === 'cli')
    .map((option) => [option, String(command.getOptionValue(option))] as const)
    .filter(([, value]) => value !== DATABASE && !hasPassword(value))
    .map(([option, value]) => ` --${option} ${value}`)
    .join('');
}
