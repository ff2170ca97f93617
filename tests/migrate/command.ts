// The migrate commands as functions: a schema as a generated folder, a database, and what a command says and ends with.

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
  /** Opens the database for as long as the work takes. */
  with<T>(work: (db: Database.Database) => T): T;
  /** `punchboard migrate <args>` on the database; to the schema, where one is given. */
  run(args: readonly string[], to?: Schema, screen?: Screen): Promise<CommandOutput>;
}

/** A database of `from`, after `fill`. */
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

class Ended extends Error {
  constructor(readonly code: number) {
    super();
  }
}

/** `punchboard migrate <args>`. @param screen where its standard error goes; otherwise it is returned */
export async function migrateCommand(args: readonly string[], screen?: Screen): Promise<CommandOutput> {
  const said = { out: '', err: '' };
  const program = new Command('punchboard').configureOutput({ writeErr: (text) => (said.err += text) });
  const io = {
    env: {},
    stdin: process.stdin,
    stdout: { write: (text: string) => (said.out += text) },
    stderr: screen ?? { write: (text: string) => (said.err += text) },
    exit: (code: number) => {
      throw new Ended(code);
    },
  };
  registerMigrateCommands(program, io, async () => work);
  try {
    await program.parseAsync(['migrate', ...args], { from: 'user' });
    return { code: 0, ...said };
  } catch (error) {
    if (error instanceof Ended) return { code: error.code, ...said };
    throw error;
  }
}

/** What `gen` makes, as far as these commands look at it. */
function generatedFolder(schema: Schema): string {
  const folder = temporary('generated');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.js'), 'exports.generated = { definitions: [], events: {} };');
  writeFileSync(join(folder, 'openapi.json'), '{}');
  writeIdentified(folder, schema);
  return folder;
}
