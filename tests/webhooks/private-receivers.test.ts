// Which private addresses a server may call, depending on who can reach it (S41, F32).

import { type Exposure, guardOf } from '../../runtime/webhooks/settings.js';

const ADDRESSES = ['127.0.0.1', '::1', '10.1.2.3', '93.184.216.34'];
const LOOPBACK = ['127.0.0.1', '127.1.2.3', '::1', 'localhost'];
const REACHED_BY_OTHERS = ['0.0.0.0', '::', '192.168.1.4', 'example.com'];
const PUBLIC_ALONE = [false, false, false, true];

const allowed = (exposure: Partial<Exposure>, ranges?: readonly string[]) => {
  const options = ranges === undefined ? {} : { webhookAllowCidrs: ranges };
  const guard = guardOf({ ...options, host: '127.0.0.1', trustProxy: 0, ...exposure });
  return ADDRESSES.map((address) => guard.allows(address));
};

test.each([...LOOPBACK, ...REACHED_BY_OTHERS])(
  'F32: a server on %s calls no private address, as it may be behind a proxy',
  (host) => expect(allowed({ host })).toEqual(PUBLIC_ALONE),
);

test.each(LOOPBACK)('F32: a demo on %s, which nobody else can reach, may call its own machine', (host) => {
  expect(allowed({ host, demo: true })).toEqual([true, true, false, true]);
  expect(allowed({ host, demo: true, trustProxy: 1 })).toEqual(PUBLIC_ALONE);
});

test.each(REACHED_BY_OTHERS)('F32: a demo on %s, which others reach, calls no private address', (host) => {
  expect(allowed({ host, demo: true })).toEqual(PUBLIC_ALONE);
});

test('ranges that are given replace the default', () => {
  expect(allowed({ demo: true }, ['10.0.0.0/8'])).toEqual([false, false, true, true]);
  expect(allowed({ host: '0.0.0.0', trustProxy: 1 }, ['127.0.0.0/8'])).toEqual([true, false, false, true]);
  expect(allowed({ demo: true }, [])).toEqual(PUBLIC_ALONE);
  expect(() => allowed({}, ['10.0.0.0'])).toThrow(/--webhook-allow-cidrs: .*10\.0\.0\.0/);
});
