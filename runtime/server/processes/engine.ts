// The engine of a worker: it reads by itself, and the primary, which alone may write to the file, does everything else.

import type { Engine, FileIndex, Identity } from '../../store/engine.js';
import type { Records } from '../../store/records.js';
import { type CallableParts, type Calls, remote } from './calls.js';

/** What a read-only connection cannot do. A method that is missing here fails, since this connection cannot write. */
const RECORD_WRITES: readonly (keyof Records)[] = ['create', 'createAll', 'update', 'remove', 'act', 'copy'];
const IDENTITY_WRITES: readonly (keyof Identity)[] = [
  'openSession',
  'touch',
  'touchKey',
  'endSession',
  'endSessions',
  'prune',
];
const FILE_WRITES: readonly (keyof FileIndex)[] = ['release', 'deleteReleases'];

/** @param reader a read-only engine of the same file */
export function workerEngine(reader: Engine, primary: Pick<Calls, 'call'>): Engine {
  const { records, identity, files, outbox, schema, upkeep, reads, databaseServer, close } = reader;
  const all = <T extends object>(name: string, part: T): T =>
    remote<T>(primary, name, Object.keys(part) as (keyof T & string)[]);
  return {
    records: {
      ...records,
      ...remote<Records>(primary, 'records', RECORD_WRITES),
      shownBy(definitions) {
        const { get, list } = records.shownBy(definitions);
        return { get, list };
      },
    },
    identity: { ...identity, ...remote<Identity>(primary, 'identity', IDENTITY_WRITES) },
    files: { ...files, ...remote<FileIndex>(primary, 'files', FILE_WRITES) },
    // Requests seldom need these parts.
    outbox: outbox && all('outbox', outbox),
    schema: all('schema', schema),
    upkeep: all('upkeep', upkeep),
    reads,
    databaseServer,
    close,
  };
}

/** The parts of the primary's engine that workers call. */
export function engineParts({ records, identity, files, outbox, schema, upkeep }: Engine): CallableParts {
  return { records, identity, files, schema, upkeep, ...(outbox === null ? {} : { outbox }) };
}
