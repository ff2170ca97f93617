// The disks of the database and of the uploads: the bytes that may still be written (D64), and the metric that shows them.

import { dirname, resolve } from 'node:path';
import type { Registry } from 'prom-client';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { Blobs } from '../files/blobs.js';
import { reserveOf, usableBytes } from '../files/space.js';
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
  return (registry) => {
    const { Gauge } = require('prom-client') as typeof import('prom-client');
    const gauge: InstanceType<typeof Gauge> = new Gauge({
      name: 'punchboard_disk_usable_bytes',
      help: 'Free bytes beyond the reserve (--disk-reserve) on the disk of the database and of uploads; below 0, writes are refused.',
      labelNames: ['of'],
      registers: [registry],
      async collect() {
        gauge.reset();
        for (const of of ['database', 'uploads'] as const) {
          const bytes = await Promise.resolve(disks[of]()).catch(() => Number.POSITIVE_INFINITY);
          if (bytes !== Number.POSITIVE_INFINITY) gauge.set({ of }, bytes);
        }
      },
    });
  };
}
