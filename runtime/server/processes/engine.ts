// The engine of a process that serves requests beside others: it reads by itself, and the one process that may write to the
// file carries out everything else.

import type { Engine, FileIndex, Identity } from '../../store/engine.js';
import type { Records } from '../../store/records.js';
import { type Callable, type Caller, remote } from './calls.js';

/** What a connection that only reads cannot do. A method that is missing here fails, since nothing can be written there. */
const RECORD_WRITES = [
  'create',
  'createAll',
  'update',
  'remove',
  'act',
  'copy',
] as const satisfies readonly (keyof Records)[];
const ACCOUNT_WRITES = [
  'openSession',
  'touch',
  'endSession',
  'endSessions',
  'prune',
] as const satisfies readonly (keyof Identity)[];
const FILE_WRITES = ['release', 'forget'] as const satisfies readonly (keyof FileIndex)[];

/** @param reader an engine of the same file that only reads */
export function readingEngine(reader: Engine, writer: Pick<Caller, 'call'>): Engine {
  const { records, identity, files, outbox, close } = reader;
  return {
    records: { ...records, ...remote<Records, (typeof RECORD_WRITES)[number]>(writer, 'records', RECORD_WRITES) },
    identity: { ...identity, ...remote<Identity, (typeof ACCOUNT_WRITES)[number]>(writer, 'identity', ACCOUNT_WRITES) },
    files: { ...files, ...remote<FileIndex, (typeof FILE_WRITES)[number]>(writer, 'files', FILE_WRITES) },
    // Requests seldom need these.
    outbox: outbox && wholly(outbox, 'outbox', writer),
    schema: wholly(reader.schema, 'schema', writer),
    upkeep: wholly(reader.upkeep, 'upkeep', writer),
    close,
  };
}

/** The parts of an engine, for `createAnswerer`. The schema is read only when it is asked for. */
export function partsOf(engine: Engine): Callable {
  const { records, identity, files, outbox, upkeep } = engine;
  return {
    ...{ records, identity, files, upkeep },
    ...(outbox === null ? {} : { outbox }),
    get schema() {
      return engine.schema;
    },
  };
}

function wholly<T extends object>(part: T, name: string, writer: Pick<Caller, 'call'>): T {
  const methods = Object.keys(part) as (keyof T & string)[];
  return { ...part, ...remote<T, keyof T & string>(writer, name, methods) };
}
