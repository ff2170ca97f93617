// The disks of the database and of the uploads: the bytes that may still be written (D64), and the metric that shows them.

import { dirname, resolve } from 'node:path';
import type { Registry } from 'prom-client';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Blobs } from '../files/blobs.js';
import { reserveOf, usableBytes } from '../files/space.js';
import { metricOf } from '../http/metric.js';
import { isServerUrl } from '../store/database-url.js';
import type { StartOptions } from './main.js';

/** The bytes that may still be written to each disk. */
export interface Disks {
  /** Infinity for a database server, which is responsible for its own disk. */
  database(): MaybePromise<number>;
  uploads(): Promise<number>;
}

export function disksOf({ database, diskReserve, readDiskSpace }: StartOptions, { store }: Blobs): Disks {
  const reserve = reserveOf(diskReserve);
  const folder = isServerUrl(database) ? null : dirname(resolve(database));
  return {
    database: () => (folder === null ? Number.POSITIVE_INFINITY : usableBytes(folder, reserve, readDiskSpace)),
    uploads: () => usableBytes(store.incoming, reserve, readDiskSpace),
  };
}

/** Registers the metric. Each scrape reads the disks, and leaves out a disk that cannot be read. */
export function diskMetrics(disks: Disks): (registry: Registry) => void {
  const help =
    'Free bytes beyond the reserve (--disk-reserve) on the disk of the database and of uploads; below 0, writes are refused.';
  return metricOf({ name: 'disk_usable_bytes', help, labels: ['of'] }, async () => {
    const read = async (of: keyof Disks) => [{ of }, await disks[of]()] as const;
    const values = await Promise.allSettled([read('database'), read('uploads')]);
    return values.flatMap((one) => (one.status === 'fulfilled' && Number.isFinite(one.value[1]) ? [one.value] : []));
  });
}
