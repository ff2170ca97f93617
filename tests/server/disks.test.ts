// The metric of usable bytes: the free bytes beyond the reserve, of each disk that the service writes to and can read.

import { Registry } from 'prom-client';
import type { Blobs } from '../../runtime/files/blobs.js';
import { diskMetrics, disksOf } from '../../runtime/server/disks.js';
import type { StartOptions } from '../../runtime/server/main.js';

const MIB = 1024 ** 2;

/** Every disk has 1,000 MiB free; that of the folder `unreadable` cannot be read. */
const freeExcept = (unreadable: string) => async (folder: string) => {
  if (folder === unreadable) throw new Error('it is not mounted');
  return { free: 1_000 * MIB, total: 10_000 * MIB };
};

const FILE = '/srv/data/punchboard.db';

test.each([
  ['a database file', FILE, '/none', { database: 900, uploads: 900 }],
  ['a database server', 'postgres://db/prints', '/none', { uploads: 900 }],
  ['an unreadable disk', FILE, '/srv/data', { uploads: 900 }],
])('usable bytes for %s', async (_, database, unreadable, mebibytes) => {
  const options = { database, diskReserve: '100', readDiskSpace: freeExcept(unreadable) } as StartOptions;
  const registry = new Registry();
  diskMetrics(disksOf(options, { store: { incoming: '/srv/uploads' } } as Blobs))(registry);
  const { values = [] } = (await registry.getMetricsAsJSON())[0] ?? {};
  expect(Object.fromEntries(values.map(({ labels, value }) => [labels.of, value / MIB]))).toEqual(mebibytes);
});
