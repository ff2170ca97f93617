// `punchboard audit`: what was changed through the operators' pages and commands, and by whom (D51).

import type { Command } from 'commander';
import type { AuditEntry } from '../../store/audit.js';
import {
  type Format,
  formatOption,
  formatOutput,
  generatedOption,
  type Io,
  runCommand,
  setUpCommand,
  wholeNumber,
  withDatabase,
} from './command.js';
import { type DatabaseOptions, withReports } from './operator-reports.js';
import { table } from './table.js';

interface AuditOptions extends DatabaseOptions {
  readonly format: Format;
  readonly limit: number;
  readonly record?: string;
  readonly name?: string;
}

/** Adds `audit` to the program. */
export function registerAuditCommand(program: Command, io: Io): void {
  const command = program
    .command('audit')
    .description('show the changes made through commands and the console, newest first; they are kept for 400 days')
    .option('--record <id>', 'only changes to this record')
    .option('--name <name>', 'only changes made by this user, or by this account of the machine')
    .option('--limit <number>', 'entries to show', wholeNumber(1_000_000), 100);
  withDatabase(setUpCommand(command, io), io, '')
    .addOption(generatedOption())
    .addOption(formatOption())
    .action((options: AuditOptions) => runCommand(io, () => showAudit(options, io)));
}

async function showAudit(options: AuditOptions, { stdout }: Io): Promise<void> {
  const { limit, record = null, name = null, format } = options;
  const entries = await withReports(options, async ({ audits }) => audits({ after: null, limit, record, name }));
  stdout.write(formatOutput(format, entries.map(entryJson), () => entriesText(entries)));
}

/** An entry as a JSON value, for programs. */
function entryJson({ id, at, user, ...entry }: AuditEntry) {
  return { id, at: new Date(at).toISOString(), user_id: user, ...entry };
}

function entriesText(entries: readonly AuditEntry[]): string {
  if (entries.length === 0) return 'No entries.\n';
  const rows = entries.map(({ at, name, action, resource, record, before, after }) => [
    ...[new Date(at).toISOString(), name, action, resource ?? '-', record ?? '-'],
    changeText(before, after),
  ]);
  return table([['AT', 'BY', 'ACTION', 'RESOURCE', 'RECORD', 'CHANGE'], ...rows]);
}

/** `admin: 0 → 1`; for a new or deleted record, its values. */
function changeText(before: AuditEntry['before'], after: AuditEntry['after']): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = (value: unknown) => JSON.stringify(value ?? null);
  return names
    .map((name) => {
      const values = [before, after].flatMap((side) => (side === null ? [] : [text(side[name])]));
      return `${name}: ${values.join(' → ')}`;
    })
    .join(', ');
}
