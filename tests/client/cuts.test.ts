// A create with a key is executed once, however often the connection is cut (D50): the generated client calls a service
// through a proxy that cuts every connection at a random point.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chanceOf, seedOfRun } from '../support/chance.js';
import { clientOf } from '../support/client.js';
import { count } from '../support/counts.js';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.js';
import { ROOT } from '../support/paths.js';
import { startService, type TestService } from '../support/service.js';

type CutSettings = import('./cuts.mjs', { with: { 'resolution-mode': 'import' }}).Cuts;

const CUTS = count(60, 1000);
const SCRIPT = join(ROOT, 'dist', 'tests', 'client', 'cuts.mjs');
const seed = seedOfRun();

let service: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  service = await startService();
  proxy = await startCuttingProxy(service.address, chanceOf(seed));
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});

/** Creates records through the proxy. @returns the names in the order of the list, and how often a connection was cut */
async function createThroughProxy(username: string, more: Pick<CutSettings, 'records' | 'keyed'>) {
  const { session } = await service.user(username);
  const send = clientOf(service.address);
  const make = async (type: string, parameters: object): Promise<string> =>
    (await send('POST', `/api/${type}`, { session, parameters: { ...parameters, session_id: session } })).body.id;
  const game = await make('game', { name: 'Chess', designer_id: await make('designer', { name: 'Acme' }) });
  const setting: CutSettings = { baseUrl: proxy.address, session, game, ...more };
  const before = proxy.cuts;
  await promisify(execFile)(process.execPath, [SCRIPT, JSON.stringify(setting)]);
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = `_items_per_page=100${cursor === '' ? '' : `&_cursor=${cursor}`}`;
    const { body } = await send('GET', `/api/game/${game}/boxtops?${page}`, { session });
    names.push(...body.items.map(({ name }: { readonly name: string }) => name));
    cursor = body.paging.next_cursor;
  }
  return { names, cuts: proxy.cuts - before };
}

test(`with a key each record is created once over ${CUTS} cut connections`, async () => {
  const records = CUTS * 2;
  const { names, cuts } = await createThroughProxy('keyed', { records, keyed: 'by the program' });
  const all = Array.from({ length: records }, (_, at) => `box ${at}`);
  expect([seed, names.sort()]).toEqual([seed, all.sort()]);
  expect(cuts).toBeGreaterThanOrEqual(CUTS);
  process.stdout.write(`client: ${records} creates over ${cuts} cut connections, each made once\n`);
});

test('with the keys of the client each is created once too, however often the client repeats the request', async () => {
  const { names, cuts } = await createThroughProxy('automatic', { records: CUTS / 2, keyed: 'by the client' });
  expect([seed, names.length]).toEqual([seed, CUTS / 2]);
  expect(cuts).toBeGreaterThan(CUTS / 20);
});

test('null control: without a key some are created twice', async () => {
  const { names } = await createThroughProxy('without', { records: 60, keyed: 'not' });
  expect(new Set(names).size).toBe(60);
  expect(names.length).toBeGreaterThan(60);
});
