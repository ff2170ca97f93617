// Which addresses and callback URIs are allowed (S41), as tables.

import { checkUri, createGuard } from '../../runtime/rules/address.js';
import { LOOPBACK_HOSTS, PRIVATE_ANSWERS, PRIVATE_HOSTS, PUBLIC_ADDRESSES } from './spellings.js';

const CLOSED = createGuard([]);
const LOCAL = createGuard(['127.0.0.0/8', '::1/128']);
const PRIVATE =
  'callback_uri must not lead to a private address unless the server is started with --webhook-allow-cidrs.';

describe('guard', () => {
  test.each(PUBLIC_ADDRESSES)('%s is public', (address) => expect(CLOSED.allows(address)).toBe(true));
  test.each(PRIVATE_ANSWERS)('%j is not public', (address) => expect(CLOSED.allows(address)).toBe(false));

  test('an allow list opens its ranges alone', () => {
    const guard = createGuard(['10.1.0.0/16', ' fd00::/8 ', '168.63.129.16/32']);
    const answers = ['10.1.2.3', '10.2.0.1', '::ffff:10.1.2.3', 'fd12::1', 'fc00::1', '168.63.129.16', '127.0.0.1'];
    expect(answers.filter((address) => guard.allows(address))).toEqual([
      '10.1.2.3',
      '::ffff:10.1.2.3',
      'fd12::1',
      '168.63.129.16',
    ]);
  });

  test('allowing loopback allows no other private address', () => {
    const opened = PRIVATE_ANSWERS.filter((address) => LOCAL.allows(address));
    expect(opened).toEqual([
      '127.0.0.1',
      '127.255.255.254',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:7f00:1',
    ]);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'private', '', '::1/129', '10.0.0.0/8,127.0.0.0/8'])(
    '%j is not a range',
    (text) => {
      expect(() => createGuard([text])).toThrow(`'${text}' is not an address range`);
    },
  );
});

describe('callback_uri', () => {
  test('there are at least 40 spellings', () =>
    expect(LOOPBACK_HOSTS.length + PRIVATE_HOSTS.length).toBeGreaterThanOrEqual(40));

  test.each([...LOOPBACK_HOSTS, ...PRIVATE_HOSTS])('http://%s/ is private', (host) => {
    expect(checkUri(`http://${host}/`, CLOSED)).toBe(PRIVATE);
    expect(checkUri(`https://${host}:8443/a?b`, CLOSED)).toBe(PRIVATE);
  });

  test.each([
    'http://example.com',
    'https://example.com:8443/hook?a=b#c',
    'HTTPS://EXAMPLE.COM/',
    'http://93.184.216.34/',
    'http://[2606:4700:4700::1111]:65535/',
    'http://notlocalhost/',
    'http://localhost.example.com/',
    'http://xn--bcher-kva.example/',
    `http://example.com/${'a'.repeat(1981)}`,
  ])('%s is accepted', (uri) => expect(checkUri(uri, CLOSED)).toBeNull());

  test.each([
    'http://localhost:8080/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.1/',
  ])('%s is accepted if the operator allows it', (uri) => expect(checkUri(uri, LOCAL)).toBeNull());

  test.each([
    [`http://example.com/${'a'.repeat(1982)}`, 'callback_uri must have at most 2000 characters.'],
    ['', 'callback_uri must start with http:// or https://.'],
    ['ftp://example.com/', 'callback_uri must start with http:// or https://.'],
    ['file:///etc/passwd', 'callback_uri must start with http:// or https://.'],
    ['javascript:alert(1)', 'callback_uri must start with http:// or https://.'],
    ['//example.com/', 'callback_uri must start with http:// or https://.'],
    ['http:example.com', 'callback_uri must start with http:// or https://.'],
    [' http://example.com/', 'callback_uri must start with http:// or https://.'],
    ['http://', 'callback_uri must be a valid URL.'],
    ['http:///example.com/', 'callback_uri must be a valid URL.'],
    ['http://?a', 'callback_uri must be a valid URL.'],
    ['http://exa mple.com/', 'callback_uri must be a valid URL.'],
    ['http://127.0.0.1\\@example.com/', 'callback_uri must be a valid URL.'],
    ['http://example.com\t/', 'callback_uri must be a valid URL.'],
    ['http://example.com/\r\nX: y', 'callback_uri must be a valid URL.'],
    ['http://１２７.0.0.1/', 'callback_uri must be a valid URL.'],
    ['http://example.com:99999/', 'callback_uri must be a valid URL.'],
    ['http://1.2.3.4.5/', 'callback_uri must be a valid URL.'],
    ['http://256.1.1.1/', 'callback_uri must be a valid URL.'],
    ['http://[fe80::1%25eth0]/', 'callback_uri must be a valid URL.'],
    ['http://user:secret@example.com/', 'callback_uri must not contain a user name or password.'],
    ['http://user@example.com/', 'callback_uri must not contain a user name or password.'],
    ['http://@example.com/', 'callback_uri must not contain a user name or password.'],
    ['http://example.com:0/', 'callback_uri must not use a port of another protocol.'],
  ])('%j is refused', (uri, problem) => expect(checkUri(uri, CLOSED)).toBe(problem));
});

test('F28: ports of other protocols are refused, whatever the host and the scheme', () => {
  const problem = 'callback_uri must not use a port of another protocol.';
  const at = (uri: string) => checkUri(uri, createGuard(['127.0.0.0/8']));
  for (const port of [1, 22, 25, 110, 143, 465, 587, 993, 2049, 6667, 10080]) {
    expect(at(`https://example.com:${port}/`)).toBe(problem);
    expect(at(`http://127.0.0.1:${port}/`)).toBe(problem);
  }
  for (const port of ['', ':80', ':443', ':8080', ':8443', ':3000'])
    expect(at(`http://example.com${port}/`)).toBeNull();
});
