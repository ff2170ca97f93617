// The migrate commands as functions: a schema as a generated folder, a database, and the output and exit code of a command.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { Command } from 'commander';
import { registerMigrateCommands } from '../../runtime/admin/commands/migrate-commands.js';
import * as work from '../../runtime/admin/commands/migrate-work.js';
import type { Screen } from '../../runtime/admin/commands/progress.js';
import type { Schema } from '../../runtime/schema/schema.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { writeIdentified } from '../support/identified.js';
import { migrate, temporary } from './schemas.js';

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface MigrationFixture {
  /** Path of the database. */
  readonly file: string;
  /** Opens the database while the work runs. */
  with<T>(work: (db: Database.Database) => T): T;
  /** Runs `punchboard migrate <args>` on the database, with the generated folder of a schema if one is given. */
  run(args: readonly string[], to?: Schema, screen?: Screen): Promise<CommandOutput>;
}

/** A database with the schema `from`, after `fill`. */
export function fixture(from: Schema, fill: string): MigrationFixture {
  const file = temporary('data.db');
  const run = (args: readonly string[], to?: Schema, screen?: Screen) => {
    const service = to === undefined ? [] : ['--generated', generatedFolder(to)];
    return migrateCommand([...args, '--database', file, ...service], screen);
  };
  const within = <T>(work: (db: Database.Database) => T): T => {
    const { db, close } = openDatabase(file, { owner: false });
    try {
      return work(db);
    } finally {
      close();
    }
  };
  within((db) => {
    migrate(db, from);
    db.exec(fill);
  });
  return { file, with: within, run };
}

class Exit extends Error {
  constructor(readonly code: number) {
    super();
  }
}

/** Runs `punchboard migrate <args>`. @param screen receives its standard error, which is otherwise returned */
export async function migrateCommand(args: readonly string[], screen?: Screen): Promise<CommandOutput> {
  const output = { out: '', err: '' };
  const program = new Command('punchboard').configureOutput({ writeErr: (text) => (output.err += text) });
  const io = {
    env: {},
    stdin: process.stdin,
    stdout: { write: (text: string) => (output.out += text) },
    stderr: screen ?? { write: (text: string) => (output.err += text) },
    exit: (code: number) => {
      throw new Exit(code);
    },
  };
  registerMigrateCommands(program, io, async () => work);
  try {
    await program.parseAsync(['migrate', ...args], { from: 'user' });
    return { code: 0, ...output };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...output };
    throw error;
  }
}

/** The parts of gen's output that these commands read. */
function generatedFolder(schema: Schema): string {
  const folder = temporary('generated');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), 'exports.generated = { definitions: [], events: {} };');
  writeFileSync(join(folder, 'openapi.json'), '{}');
  writeIdentified(folder, schema);
  return folder;
}
