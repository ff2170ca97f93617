// The counts of a worker are in a file without a name, which the primary opens and both share: what a worker has written there
// remains when it is killed. Each request is counted there before its response is sent, so that every response is counted. That
// takes 1 to 1.4 microseconds, 3 to 4 % of a fetch; a message to the primary takes 8 here and 6 there.

import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeprecatedUse } from '../../http/notice.js';
import {
  type AllocateCounters,
  type CountedDurations,
  type CountedRequests,
  type CountedUse,
  NUMBERS,
} from '../../http/request-metrics.js';

/** Bytes of a row's numbers; its label follows. Rows do not cross a page: a kill or a full disk leaves each written or not. */
const NUMBERS_SIZE = NUMBERS * Float64Array.BYTES_PER_ELEMENT;
const ROW_SIZE = 512;

/** @returns a descriptor of a new file, which is deleted when it is closed everywhere */
export function openCountFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'punchboard-'));
  try {
    return openSync(join(folder, 'counts'), 'wx+');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Keeps counts in the file. */
export function countersInFile(file: number): AllocateCounters {
  let rows = 0;
  return (labels) => {
    const at = rows * ROW_SIZE;
    rows += 1;
    const row = Buffer.alloc(ROW_SIZE);
    row.write(JSON.stringify(labels), NUMBERS_SIZE);
    const numbers = new Float64Array(row.buffer, row.byteOffset, NUMBERS);
    let size = ROW_SIZE;
    return {
      numbers,
      save() {
        try {
          writeSync(file, row, 0, size, at);
          size = NUMBERS_SIZE;
        } catch {
          // The disk is full: the next save writes this, too.
        }
      },
    };
  };
}

/** The counts in the file. */
export function countsIn(file: number): CountedRequests {
  const bytes = Buffer.alloc(fstatSync(file).size);
  readSync(file, bytes, 0, bytes.length, 0);
  const durations: CountedDurations[] = [];
  const uses: CountedUse[] = [];
  for (let at = 0; at < bytes.length; at += ROW_SIZE) {
    const numbers = new Float64Array(bytes.buffer, bytes.byteOffset + at, NUMBERS);
    const text = bytes.toString('utf8', at + NUMBERS_SIZE, at + ROW_SIZE).replace(/\0+$/, '');
    // This row has not been written yet, although a later one has.
    if (text === '') continue;
    const label = JSON.parse(text) as Omit<CountedDurations, 'numbers'> | DeprecatedUse;
    if ('operation' in label) durations.push({ ...label, numbers });
    else uses.push({ ...label, count: numbers[0] ?? 0 });
  }
  return { durations, uses };
}

/** @returns the counts in the file, which is closed; if it cannot be read, there are none, and `lost` gets the error */
export function takeCounts(file: number, lost: (error: unknown) => void): CountedRequests {
  try {
    return countsIn(file);
  } catch (error) {
    lost(error);
    return { durations: [], uses: [] };
  } finally {
    closeSync(file);
  }
}
