// Carries out `punchboard copy`: copies rows, then bytes of files, then compares; only then can a server use the copy.
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from '../../contract/command-error.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { copyFile } from '../../files/copy-files.js';
import { openBlobStore } from '../../files/open-store.js';
import type { Clock } from '../../http/exchange.js';
import { loadGenerated } from '../../server/load-generated.js';
import { compareRows, copyRows, type RowCopy } from '../../store/copy.js';
import { isServerUrl, withoutPassword } from '../../store/database-url.js';
import { commandsOn } from '../../store/open-engine.js';
import { type Progress, withProgress } from '../../store/progress.js';
import type { TransferAccess, TransferSource, TransferTable } from '../../store/transfer.js';
import { type Format, formatOutput } from './command.js';

export interface CopyOptions {
  /** Path of a file, or URL of a database. */
  readonly from: string;
  readonly to: string;
  /** Places of files; both or none. */
  readonly filesFrom?: string;
  readonly filesTo?: string;
  /** Output folder of the generator; the project's own by default. */
  readonly generated?: string;
  readonly format: Format;
}

/** @returns what was copied, in one line or as JSON. Throws CommandError or StartError. */
export async function copyService(options: CopyOptions, progress: Progress, { now, tick }: Clock): Promise<string> {
  const started = tick();
  const { from, to } = options;
  const place = nameOf(from);
  if (place === nameOf(to)) throw new CommandError('--from and --to are the same database');
  const { schema, generated } = loadGenerated(options.generated ?? null);
  const access = { schema, definitions: generated.definitions };
  const done = await commandsOn(from).copyFrom(access, (source) => {
    const origin = { place, tables: source.tables, now: now() };
    const work = async (target: RowCopy['target']): Promise<CopySummary> => {
      const rows = await copyRows({ source, target, progress });
      const files = await copyFiles(source, { ...options, access, progress });
      await compareRows({ source, target, progress });
      await target.finish(now());
      return { rows, tables: source.tables.length, ...files };
    };
    return commandsOn(to).copyTo(access, { origin, work });
  });
  const seconds = Math.round((tick() - started) / 100) / 10;
  const { missing, ...counts } = done;
  return formatOutput(options.format, { ...counts, missing: missing.length, seconds }, () => summary(done, seconds));
}

interface CopySummary {
  readonly rows: number;
  readonly tables: number;
  readonly files: number;
  /** Hashes whose bytes are missing in the source, too. */
  readonly missing: readonly string[];
}

/** Identifies the source to a copy that is resumed. */
function nameOf(place: string): string {
  if (isServerUrl(place)) return withoutPassword(place);
  return existsSync(place) ? realpathSync(place) : resolve(place);
}

interface CopyingFiles extends Pick<CopyOptions, 'filesFrom' | 'filesTo'>, Pick<RowCopy, 'progress'> {
  readonly access: TransferAccess;
}

async function copyFiles(
  source: TransferSource,
  options: CopyingFiles,
): Promise<Pick<CopySummary, 'files' | 'missing'>> {
  const { filesFrom, filesTo, access, progress } = options;
  const missing: string[] = [];
  let files = 0;
  if (filesFrom === undefined || filesTo === undefined || filesFrom === filesTo) return { files, missing };
  const [from, to] = [await openBlobStore(filesFrom), await openBlobStore(filesTo)];
  try {
    for (const table of uploadTables(source, access.definitions)) {
      const part = { label: `files of ${table.name}`, total: await source.count(table) };
      await withProgress(progress, part, async () => {
        for await (const hash of hashesIn(source, table)) {
          if (await copyFile({ from, to }, hash)) files += 1;
          else missing.push(hash);
          progress.advance(1);
        }
      });
    }
  } finally {
    for (const store of [from, to]) store.close();
  }
  return { files, missing };
}

/** Bytes that only a release holds are not copied: they are waiting to be deleted. */
function uploadTables({ tables }: TransferSource, definitions: readonly AnyDefinition[]): readonly TransferTable[] {
  const uploads = definitions.filter(({ upload }) => upload !== null).map(({ name }) => name);
  return tables.filter(({ name }) => uploads.includes(name));
}

async function* hashesIn(source: TransferSource, table: TransferTable): AsyncGenerator<string> {
  const at = table.columns.findIndex(({ name }) => name === 'content_hash');
  for await (const rows of source.rows(table, null)) {
    for (const row of rows) if (typeof row[at] === 'string') yield row[at];
  }
}

function summary({ rows, tables, files, missing }: CopySummary, seconds: number): string {
  const [first] = missing;
  const lost =
    first === undefined ? '' : `${missing.length} files have no bytes in the source either, such as ${first}.\n`;
  return `${lost}Copied ${rows} rows of ${tables} tables and ${files} files in ${seconds.toFixed(1)} s; all rows were read back and compared.\n`;
}
