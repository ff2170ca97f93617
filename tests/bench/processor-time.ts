// The processor time of a process and of all processes that it has started, by the kernel's account.

import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const TICKS = 100;

/** Seconds so far. @param withEnded includes processes that it has started and that have ended */
export function processorTime(pid: number, withEnded = false): number {
  try {
    // The name of the program, in brackets, may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = fields.slice(11, withEnded ? 15 : 13).reduce((sum, field) => sum + Number(field), 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + processorTime(Number(child), withEnded), ticks / TICKS);
  } catch {
    // The process has ended.
    return 0;
  }
}

/** Bytes of memory of the process and of all processes that it has started. */
export function residentMemory(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + residentMemory(Number(child)), pages * 4096);
}
