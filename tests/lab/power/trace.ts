// Reads the trace of the recorder, and simulates what a loss of power at any step would leave on the disk.

import { readFileSync } from 'node:fs';
import type { Chance } from '../../support/chance.js';

/** In the order of recorder.c. */
const WHAT = ['write', 'cut', 'sync begins', 'sync ends', 'folder synced', 'sent'] as const;
const FILES = ['database', 'log', 'folder', 'socket'] as const;
const HEAD = 24;

type DiskFile = 'database' | 'log';

export interface Step {
  readonly what: (typeof WHAT)[number];
  readonly file: (typeof FILES)[number];
  /** The position of a write, the size after a cut, or the number of a sync. */
  readonly at: number;
  readonly bytes: Buffer;
}

export function stepsOf(trace: string): readonly Step[] {
  const all = readFileSync(trace);
  const steps: Step[] = [];
  for (let from = 0; from + HEAD <= all.length; ) {
    const [what, file] = [WHAT[all.readInt32LE(from)], FILES[all.readInt32LE(from + 4)]];
    const [at, size] = [Number(all.readBigInt64LE(from + 8)), Number(all.readBigInt64LE(from + 16))];
    from += HEAD + size;
    // The last step was being recorded when the server was killed.
    if (what === undefined || file === undefined || from > all.length) break;
    steps.push({ what, file, at, bytes: all.subarray(from - size, from) });
  }
  return steps;
}

/** A disk, with the certain and the possible content of each file. */
export interface Disk {
  step(step: Step): void;
  /** The files after a loss of power; null if there is no such file. */
  afterPowerLoss(chance: Chance): Readonly<Record<DiskFile, Buffer | null>>;
}

interface StoredFile {
  certain: Buffer;
  /** Later steps, in their order. */
  pending: Step[];
  /** The number of pending steps when a sync began, by the number of the sync. */
  readonly syncs: Map<number, number>;
}

export function createDisk(database: Buffer): Disk {
  const stored = (file: Buffer): StoredFile => ({ certain: grown(file, file.length), pending: [], syncs: new Map() });
  const files: Readonly<Record<DiskFile, StoredFile>> = { database: stored(database), log: stored(Buffer.alloc(0)) };
  let isLogNamed = false;
  const steps: Readonly<Record<Step['what'], (file: StoredFile, step: Step) => void>> = {
    write: (file, step) => void file.pending.push(step),
    cut: (file, step) => void file.pending.push(step),
    'sync begins': (file, { at }) => void file.syncs.set(at, file.pending.length),
    'sync ends': (file, { at }) => {
      const synced = file.syncs.get(at) ?? 0;
      file.certain = file.pending.splice(0, synced).reduce(applyStep, file.certain);
      file.syncs.delete(at);
      for (const [number, count] of file.syncs) file.syncs.set(number, Math.max(0, count - synced));
    },
    'folder synced': () => {
      isLogNamed = true;
    },
    sent: () => undefined,
  };
  return {
    step: (step) => steps[step.what](files[step.file === 'database' ? 'database' : 'log'], step),
    afterPowerLoss(chance) {
      const { database: db, log } = files;
      const hasLog = isLogNamed || chance.happens(0.5);
      return { database: someOf(db, chance), log: hasLog ? someOf(log, chance) : null };
    },
  };
}

/** Applies a step in place if there is room. The room is doubled when it is used up, as most steps make a file longer. */
function applyStep(file: Buffer, { what, at, bytes }: Step): Buffer {
  if (what === 'cut') return at <= file.length ? file.subarray(0, at) : grown(file, at);
  const end = at + bytes.length;
  if (end <= file.length) {
    bytes.copy(file, at);
    return file;
  }
  const room = new Uint8Array(file.buffer, file.byteOffset);
  const longer = room.length >= end ? Buffer.from(room.buffer, room.byteOffset, end) : grown(file, end);
  // Bytes that were cut off must not reappear.
  longer.fill(0, file.length, Math.min(at, end));
  bytes.copy(longer, at);
  return longer;
}

function grown(file: Buffer, size: number): Buffer {
  const room = new ArrayBuffer(size * 2);
  const longer = Buffer.from(room, 0, size);
  file.copy(longer);
  return longer;
}

/** The number of bytes that a disk writes atomically. */
const SECTOR = 512;

/** Which steps a disk may have written before their sync: none, the first ones, some, or parts of some. */
const KINDS = ['none', 'first', 'some', 'torn'] as const;

function someOf({ certain, pending }: StoredFile, chance: Chance): Buffer {
  const kind = chance.one(KINDS);
  const copy = grown(certain, certain.length);
  const first = chance.below(pending.length + 1);
  const isKept: Readonly<Record<(typeof KINDS)[number], (at: number) => boolean>> = {
    none: () => false,
    first: (at) => at < first,
    some: () => chance.happens(0.5),
    torn: () => chance.happens(0.7),
  };
  return pending
    .filter((_, at) => isKept[kind](at))
    .map((step) => (kind === 'torn' ? torn(step, chance) : step))
    .reduce(applyStep, copy);
}

function torn(step: Step, chance: Chance): Step {
  if (step.what === 'cut') return step;
  const sectors = Math.ceil(step.bytes.length / SECTOR);
  const from = chance.happens(0.5) ? 0 : chance.below(sectors) * SECTOR;
  const to = chance.happens(0.5) ? step.bytes.length : (chance.below(sectors) + 1) * SECTOR;
  return { ...step, at: step.at + from, bytes: step.bytes.subarray(from, Math.max(from, to)) };
}
