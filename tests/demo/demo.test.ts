// The demo of this service: one record of everything that a caller can store, from the examples of the API document.

import { randomBytes } from 'node:crypto';
import { fillDemo } from '../../runtime/admin/demo/demo.js';
import { demoOrder } from '../../runtime/admin/demo/examples.js';
import { readDocument } from '../../runtime/server/load-generated.js';
import { startService } from '../support/service.js';
import { shared } from '../support/shared.js';

const service = shared(startService);

const fill = () => {
  const document = JSON.parse(readDocument(null).toString());
  return fillDemo(service.service, service.blobs, { now: Date.now(), random: randomBytes, document });
};

test('each resource that can be stored has a record, with its pictures', async () => {
  const { definitions } = service.service;
  const { records, session } = await fill();
  const storable = definitions.filter(({ principal, servedBy, operations }) => {
    return !principal && servedBy === null && operations.create !== null;
  });
  expect(storable.length).toBeGreaterThan(40);
  expect(storable.map(({ name }) => name).filter((name) => !records.has(name))).toEqual([]);
  const response = await fetch(`${service.address}/api/boxtop/${records.get('boxtop')}?session_id=${session}`);
  expect(await response.json()).toMatchObject({ top: { image_width: 8 }, game_id: records.get('game') });
});

test('a second time nothing is stored, and what is there is shown', async () => {
  const { records, password, shown } = await fill();
  expect([records.size, password]).toEqual([0, null]);
  expect(shown?.id).toMatch(/^\w{20,}$/);
});

test('each resource comes after what it needs', () => {
  const order = demoOrder(service.service.definitions).map(({ name }) => name);
  for (const { name, references } of service.service.definitions.filter((one) => order.includes(one.name))) {
    const needed = references.filter(({ required, to }) => required && order.includes(to)).map(({ to }) => to);
    expect(needed.filter((to) => order.indexOf(to) > order.indexOf(name))).toEqual([]);
  }
});
