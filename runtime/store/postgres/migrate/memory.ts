// What a database on a server records about itself.
import * as verbs from '../../migrate/memory.js';
import { onSession } from '../session.js';

export { type Memory, type MemoryKey, schemaIn } from '../../migrate/memory.js';
export const memoryOf = onSession(verbs.memoryOf);
export const readMemory = onSession(verbs.readMemory);
export const put = onSession(verbs.put);
export const forget = onSession(verbs.forget);
export const note = onSession(verbs.note);
export const history = onSession(verbs.history);

/** Repeatable statements. Only the holder of the lease assigns numbers. */
export const MEMORY_TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS "_punchboard" ("key" text PRIMARY KEY, "value" text NOT NULL)',
  `CREATE TABLE IF NOT EXISTS "_punchboard_history" (
  "number" bigint PRIMARY KEY, "applied" bigint NOT NULL, "class" text NOT NULL, "says" text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS "_punchboard_dropped" (
  "number" bigint PRIMARY KEY, "dropped" bigint NOT NULL, "table" bigint NOT NULL, "name" text NOT NULL,
  "rows" bigint NOT NULL, "definition" text NOT NULL, "watched" bigint)`,
  'CREATE TABLE IF NOT EXISTS "_punchboard_migrator" ("one" bigint PRIMARY KEY, "holder" text NOT NULL, "until" bigint NOT NULL)',
];

/** The prefix of the names of the tables in which migrations keep their own data. */
export const OWN = '_punchboard';
