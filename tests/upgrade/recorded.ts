// The recorded databases of earlier commits, and fresh copies of them to start a server on.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { ROOT, temporaryFolder } from '../support/paths.js';
import type { TestPostgres } from '../support/postgres.js';
import { restore, withClient } from './postgres-dump.js';
import type { Scene } from './scene.js';

const FOLDER = join(ROOT, 'tests', 'upgrade');

export const COMMITS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

export type EngineName = 'sqlite' | 'postgres';

/** A part without blanks in its name, which no recording has, with its words by the first rule (D44). */
const JAPANESE_PART = { name: '日本語の双六ゲーム', keywords: 'Straße', words: ['日本語の双六ケーム', 'straße'] };

export interface RecordedService {
  /** Id of the part. */
  readonly japanesePart: string;
  readonly scene: Scene;
  /** When the database was copied, in epoch milliseconds. */
  readonly copiedAt: number;
  readonly folder: string;
  readonly database: string;
  readonly files: string;
}

/**
 * Copies a recorded database and its files.
 * @param receiver address that the recorded hooks call from now on
 * @param postgres where to create the copy of a PostgreSQL database
 */
export async function copyOf(
  commit: string,
  {
    engine,
    receiver,
    postgres,
  }: { readonly engine: EngineName; readonly receiver: string; readonly postgres: TestPostgres },
): Promise<RecordedService> {
  const from = join(FOLDER, commit, engine);
  const scene = JSON.parse(unpacked(join(from, 'scene.json.gz')).toString()) as Scene;
  const folder = temporaryFolder('upgrade');
  const copiedAt = Date.now();
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  cpSync(join(from, 'files'), files, { recursive: true });
  const redirect = Object.entries(scene.seeded.hooks)
    .map(([name, { id }]) => `UPDATE webhook SET callback_uri = '${receiver}/${name}' WHERE id = '${id}';`)
    .join('\n');
  const part = String(scene.seeded.records.part);
  const japanesePart = `${part.slice(0, -1)}${part.endsWith('0') ? '1' : '0'}`;
  const added = addPart(part, japanesePart, engine === 'postgres' ? [japanesePart.slice(0, 2)] : []);
  if (engine === 'postgres') {
    const database = await postgres.createDatabase();
    await restore(database, JSON.parse(unpacked(join(from, 'dump.json.gz')).toString()));
    await withClient(database, (client) => client.query(`${redirect}\n${added}`));
    return { japanesePart, scene, copiedAt, folder, database, files };
  }
  const database = join(folder, 'punchboard.db');
  writeFileSync(database, unpacked(join(from, 'punchboard.db.gz')));
  const db = new Database(database);
  db.exec(`${redirect}\n${added}`);
  db.close();
  return { japanesePart, scene, copiedAt, folder, database, files };
}

/** SQL that adds the part as a copy of another. @param placement its shard; empty on SQLite, which has no shards */
function addPart(like: string, id: string, placement: readonly string[]): string {
  const { name, keywords, words } = JAPANESE_PART;
  const rows = words.map((word) => `(${[...placement, id, word].map((text) => `'${text}'`).join(', ')}, 1)`);
  return `CREATE TABLE added_part AS SELECT * FROM part WHERE id = '${like}';
UPDATE added_part SET id = '${id}', name = '${name}', keywords = '${keywords}';
INSERT INTO part SELECT * FROM added_part;
DROP TABLE added_part;
INSERT INTO part_words VALUES ${rows.join(', ')};`;
}

function unpacked(path: string): Buffer {
  return gunzipSync(readFileSync(path));
}
