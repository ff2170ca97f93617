// The address that a request is counted under, behind proxies that are trusted and others.

import type { IncomingMessage } from 'node:http';
import { clientAddress } from '../../runtime/http/client-address.js';

test.each([
  ['nobody in front is trusted', '9.9.9.9', 0, '10.0.0.1'],
  ['the proxy says nothing', undefined, 1, '10.0.0.1'],
  ['the proxy says nothing that counts', ' , ', 1, '10.0.0.1'],
  ['the proxy says who called it', '9.9.9.9', 1, '9.9.9.9'],
  ['what the client itself claims does not count', '6.6.6.6, 9.9.9.9', 1, '9.9.9.9'],
  ['a second proxy is trusted', '6.6.6.6, 9.9.9.9,10.0.0.2 ', 2, '9.9.9.9'],
  ['more proxies are trusted than there are', '9.9.9.9', 3, '9.9.9.9'],
])('%s', (_, forwarded, proxies, expected) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage;
  expect(clientAddress(request, proxies)).toBe(expected);
});
