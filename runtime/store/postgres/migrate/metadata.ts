// What a database on a server records about itself.
import * as verbs from '../../migrate/metadata.js';
import { onSession } from '../session.js';

export { type Metadata, type MetadataKey, schemaIn } from '../../migrate/metadata.js';
export const readMetadata = onSession(verbs.readMetadata);
export const readAnyMetadata = onSession(verbs.readAnyMetadata);
export const putMetadata = onSession(verbs.putMetadata);
export const deleteMetadata = onSession(verbs.deleteMetadata);
export const recordStep = onSession(verbs.recordStep);
export const readHistory = onSession(verbs.readHistory);

/** Repeatable statements. Only the holder of the lease assigns numbers. */
export const METADATA_TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS "_punchboard" ("key" text PRIMARY KEY, "value" text NOT NULL)',
  `CREATE TABLE IF NOT EXISTS "_punchboard_history" (
  "number" bigint PRIMARY KEY, "applied" bigint NOT NULL, "class" text NOT NULL, "says" text NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS "_punchboard_dropped" (
  "number" bigint PRIMARY KEY, "dropped" bigint NOT NULL, "table" bigint NOT NULL, "name" text NOT NULL,
  "rows" bigint NOT NULL, "definition" text NOT NULL, "watched" bigint)`,
  'CREATE TABLE IF NOT EXISTS "_punchboard_migrator" ("one" bigint PRIMARY KEY, "holder" text NOT NULL, "until" bigint NOT NULL)',
];

/** The prefix of the names of the tables in which migrations keep their own data. */
export const TABLE_PREFIX = '_punchboard';
