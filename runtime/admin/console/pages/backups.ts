// Backups: those in the folder that the operator named, and a button that starts another while the service continues.

import { ServiceError } from '../../../contract/errors.js';
import type { MaybePromise } from '../../../contract/maybe-promise.js';
import type { AuditLog } from '../../../store/audit.js';
import type { ProgressMessage } from '../../../store/progress.js';
import type { Question } from '../confirm.js';
import type { PageRequest, PageRoute } from '../page.js';
import { changeOf } from '../resource.js';
import { button, type Cell, cell, count, fact, pageView, section, table, timeCell } from '../view.js';

export interface BackupsPage {
  readonly folder: string;
  /** The newest first. */
  list(): MaybePromise<readonly ListedBackup[]>;
  /** The backup that was started last; null: none since this server started. */
  last(): MaybePromise<MakingBackup | null>;
  /** Throws conflict while one is under way. @returns its name */
  start(now: number): MaybePromise<string>;
}

export interface ListedBackup {
  readonly name: string;
  readonly path: string;
  /** The moment whose state it holds, in epoch milliseconds. */
  readonly taken: number;
  readonly files: number;
  /** Size of the database. */
  readonly bytes: number;
}

export interface MakingBackup {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly started: number;
  /** Its output so far. */
  readonly lines: readonly string[];
  /** The progress of its current part; null: not known yet. */
  readonly progress: ProgressMessage | null;
  /** Exit code; null while it is under way. */
  readonly code: number | null;
}

/** @param archive the folder of a backup as one file */
export function backupPages(
  backups: BackupsPage,
  audits: Pick<AuditLog, 'audit'>,
  archive: (path: string) => AsyncIterable<Uint8Array>,
): readonly PageRoute[] {
  return [
    {
      method: 'POST',
      path: '/backups/:name/download',
      confirm: ({ params }) => downloadQuestion(params.name ?? ''),
      async run(request) {
        const listed = (await backups.list()).find(({ name }) => name === request.params.name);
        if (listed === undefined) throw new ServiceError('not_found', 'There is no such backup.');
        await audits.audit(backupEntry(request, 'download a backup', listed.name));
        return { download: { name: `${listed.name}.tar`, type: 'application/x-tar', chunks: archive(listed.path) } };
      },
    },
    { method: 'GET', path: '/backups', run: () => show(backups) },
    {
      method: 'POST',
      path: '/backups',
      async run(request) {
        await audits.audit(backupEntry(request, 'back up', await backups.start(request.now)));
        return { to: `/backups?done=${encodeURIComponent('A backup is being made.')}` };
      },
    },
  ];
}

async function show(backups: BackupsPage) {
  const { folder } = backups;
  const [last, all] = await Promise.all([backups.last(), backups.list()]);
  const rows = all.map(({ name, taken, path, files, bytes }) => [
    timeCell(taken),
    cell(path, { code: true }),
    cell(`${Math.ceil(bytes / 2 ** 20)} MiB`),
    cell(count(files, 'file')),
    cell('', { button: button('Download', `/console/backups/${encodeURIComponent(name)}/download`) }),
  ]);
  const note = `Backups are in ${folder}. Each holds everything up to the time shown. To restore one, run punchboard restore FOLDER, with --database and --files set to places that do not exist yet.`;
  const columns = ['Everything until', 'Folder', 'Database', 'Files', 'Archive'];
  const shown = table({ caption: 'Backups', columns, rows, empty: 'There are no backups in the folder.' });
  const sections = [
    section({ note, buttons: last?.code === null ? [] : [button('Make a backup', '/console/backups')] }),
    ...(last === null ? [] : [lastSection(last)]),
    section({ id: 'results', table: shown }),
  ];
  return { page: pageView({ title: 'Backups', sections }) };
}

/** The download of a backup requires the password, as it contains all password hashes. */
function downloadQuestion(name: string): Question {
  const back = { text: 'Leave it there', href: '/console/backups' };
  const note = 'It contains all records, all files and the hashes of all passwords.';
  return { title: `Download ${name}?`, note, submit: 'Download', back, click: false, password: true };
}

function stateOf(code: number | null): Cell {
  if (code === null) return cell('under way', { tone: 'plain' });
  return code === 0 ? cell('made', { tone: 'good' }) : cell('failed', { tone: 'bad' });
}

/** The browser refreshes the section until the backup has ended. */
function lastSection({ name, started, lines, progress, code }: MakingBackup) {
  const facts = [
    fact('State', stateOf(code)),
    fact('Name', cell(name, { code: true })),
    fact('Started', timeCell(started)),
    ...(lines.length === 0 ? [] : [fact('Progress', cell(lines.join('\n'), { long: true }))]),
  ];
  return section({
    id: 'making',
    heading: 'Latest backup made by this server',
    ...(progress === null || code !== null ? {} : progressBar(progress)),
    every: code === null ? 1 : null,
    facts,
  });
}

function progressBar({ label: part, value, max }: ProgressMessage) {
  const label = `${value.toLocaleString('en')} of ${max.toLocaleString('en')} ${part}`;
  return { note: `${label}.`, progress: { label, value, max } };
}

function backupEntry(request: PageRequest, action: string, folder: string) {
  return { ...changeOf(request), action, resource: null, record: null, before: null, after: { folder } };
}
