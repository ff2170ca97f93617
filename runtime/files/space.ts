// Computes how much of a disk may be used: what is free beyond a reserve for logins, deletes and small writes (D64).

import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;

export interface DiskSpace {
  /** Bytes that an unprivileged process can still write. */
  readonly free: number;
  /** Bytes of the whole disk. */
  readonly total: number;
}

/** Bytes of a disk of that size that are kept free. */
export type Reserve = (total: number) => number;

/** 5 % or 256 MiB, whichever is smaller. */
const DEFAULT_RESERVE: Reserve = (total) => Math.min(total / 20, 256 * MIB);

/** Reads the text of an option: `5%`, or a number of MiB. Null: it is neither. */
export function readReserve(text: string): Reserve | null {
  const [, number = '', percent] = /^(\d{1,9}(?:\.\d{1,3})?)(%?)$/.exec(text) ?? [];
  if (number === '' || (percent === '%' && Number(number) > 90)) return null;
  return percent === '%' ? (total) => (total * Number(number)) / 100 : () => Number(number) * MIB;
}

/** @param text of the option, or undefined for the default */
export function reserveOf(text: string | undefined): Reserve {
  return (text === undefined ? null : readReserve(text)) ?? DEFAULT_RESERVE;
}

export type ReadDiskSpace = (folder: string) => Promise<DiskSpace>;

export const readDiskSpace: ReadDiskSpace = async (folder) => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
};

/** Bytes on the disk of the folder that may be used; below 0 if part of the reserve has been used. */
export async function usableBytes(
  folder: string,
  reserve: Reserve,
  look: ReadDiskSpace = readDiskSpace,
): Promise<number> {
  const { free, total } = await look(folder);
  return free - reserve(total);
}

/** If less than this is usable, bytes that nothing refers to are freed immediately: the largest upload would not fit. */
export const SCARCE_BYTES = 200 * MIB;
