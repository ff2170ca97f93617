// Spoils a request in its body, headers, line or framing, and turns it into bytes.

import type { Chance } from '../support/chance.js';
import { type Draft, spoiled } from './draft.js';
import type { Sendable } from './wire.js';

type Damage = (draft: Draft, chance: Chance) => void;

const BODY_TYPES = [
  ...['application/json', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'application/x-www-form-urlencoded'],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
    'multipart/mixed; boundary=x',
  ],
  ...[
    'multipart/form-data; boundary="----b0undary"',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'text/plain',
    'text/xml',
  ],
  ...[
    'application/octet-stream',
    '',
    ';',
    '__proto__',
    'application/json, text/plain',
    'application/problem+json',
    '*/*',
  ],
];

const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  [
    'Authorization',
    ['Bearer', 'Bearer  ', 'Basic YTpi', 'bearer x', 'Bearer a b', `Bearer ${'x'.repeat(9000)}`, '\xff\xfe'],
  ],
  ['X-HTTP-Method', ['PUT', 'GET', 'CONNECT', '', '\xff', 'constructor', 'x'.repeat(5000)]],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['X-Request-Id', ['abc', '', 'a b', '\xe9', 'x'.repeat(4000), '"}{']],
  ['Content-Encoding', ['gzip', 'identity', 'br, gzip', '', 'IDENTITY']],
  ['Content-Type', BODY_TYPES],
  ['Expect', ['100-continue', 'nonsense']],
  [
    'Range',
    [
      'bytes=0-1',
      'bytes=99999999-',
      'bytes=-1',
      'bytes=5-2',
      'bytes=a-b',
      'items=0-1',
      `bytes=${'0-0,'.repeat(500)}1-1`,
    ],
  ],
  ['If-None-Match', ['*', '"x"', 'W/"x"', ',,,']],
  ['If-Match', ['"x"', '*', '']],
  ['If-Modified-Since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'nonsense']],
  ['If-Unmodified-Since', ['Thu, 01 Jan 1970 00:00:00 GMT', 'x']],
  ['If-Range', ['"x"', 'x']],
  ['Accept', ['text/html', '*/*;q=x', 'application/json;q=0']],
  ['Accept-Encoding', ['gzip', 'identity;q=0, *;q=0']],
  ['Cookie', ['session_id=x', '__proto__=1; ;=;', 'x'.repeat(4000)]],
  ['X-Forwarded-For', ['1.2.3.4', 'unknown', '::1, , x', '\xff', 'a'.repeat(3000), '1.2.3.4,'.repeat(200)]],
  ['X-Forwarded-Proto', ['https', '//']],
  ['X-Forwarded-Host', ['[::1', 'a:b:c', '']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Origin', ['null', 'http://evil.example']],
  ['Forwarded', ['for="[::1"; by=_x']],
  ['Content-Length', ['0']],
  ['Constructor', ['x']],
  ['__proto__', ['x']],
];

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'MKCOL',
  'QUERY',
  'SEARCH',
  'UNLOCK',
];
const TARGETS = [
  ...[
    '/',
    '//',
    '///api/user',
    '/api',
    '/api/',
    '/api//',
    '/api/user//',
    '/api/__proto__',
    '/api/constructor/x',
    '/api/user/__proto__',
  ],
  ...[
    '/api/%75ser',
    '/api/user/%',
    '/api/user/%ff',
    '/api/user/%00',
    '/api/user/..',
    '/api/user/%2e%2e%2fx',
    '/api/user/a/b/c',
    '/api/USER',
  ],
  ...[
    '/files',
    '/files/x/y',
    '/files/%/%',
    '/files/%00/..%2f',
    '/files/../../etc/passwd',
    '/healthz/',
    '/metrics/x',
    '/%',
    '/%ff',
    '/\\',
  ],
  ...[
    'http://127.0.0.1/api/user/x',
    'http://',
    'http://[::1',
    'HTTP://x//',
    '/?',
    '/#',
    '/api/user?#',
    '/;',
    '/api;x/user',
    `/${'a'.repeat(9000)}`,
  ],
  ...[
    `/api/${'a/'.repeat(3000)}`,
    `/api/user/${'%41'.repeat(3000)}`,
    '*',
    '/api/user/\xff',
    '/api/user/\x80\x81?\xfe=\xff',
    '?',
    'api/user',
  ],
];
const QUERIES = [
  '%',
  '%zz=1',
  'a=%ff',
  'a=%00',
  '&&&=&',
  '='.repeat(500),
  'a=1&a=2',
  'a[b]=1',
  'a&'.repeat(1001),
  '\xff',
  '?',
  '__proto__[x]=1',
  'session_id=a&session_id=b',
  '_cursor=W10',
  '_cursor=e30',
  '_page_number=1e9',
  '_items_per_page=0',
];
const ENDS = [
  [0xff],
  [0xc3, 0x28],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88],
  [0x00],
  [0xef, 0xbb, 0xbf],
  [0x5c, 0x75],
  [0xe2, 0x80, 0xa8],
];

const body =
  (change: (bytes: Buffer, chance: Chance) => Buffer): Damage =>
  (draft, chance) => {
    if (draft.body !== null) draft.body = change(draft.body, chance);
  };

const DAMAGES: readonly (readonly [weight: number, damage: Damage])[] = [
  [3, body(spoiled)],
  [2, body((bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)))],
  [1, body((bytes, chance) => bytes.subarray(chance.below(bytes.length + 1)))],
  [1, body((bytes, chance) => insert(bytes, Buffer.from(chance.one(ENDS)), chance))],
  [1, body((bytes) => Buffer.concat([bytes, bytes]))],
  [
    0.5,
    body((_, chance) =>
      Buffer.from(chance.one(['', '{}', '[]', 'null', '"x"', '1', '{', '{"a":', '{}{}', ' ', '\ufeff{}', '{"a":1,}'])),
    ),
  ],
  [0.3, body((_, chance) => Buffer.from(chance.one(['[', '{"a":', '{"a":[']).repeat(chance.one([33, 5000]))))],
  [0.05, body((bytes) => Buffer.concat([bytes, Buffer.alloc(1024 * 1024 + 1, 'x')]))],
  [0.2, body(() => Buffer.from(`{${Array.from({ length: 1001 }, (_, at) => `"p${at}":1`).join(',')}}`))],
  [0.2, body(() => Buffer.from('------b0undary\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1001)))],
  [
    8,
    (draft, chance) => {
      const [name, values] = chance.one(HEADERS);
      // Twice, where the draft has it, is one of the games.
      draft.headers.push([name, chance.one(values)]);
    },
  ],
  [
    2,
    (draft, chance) => {
      draft.headers = draft.headers.filter(([name]) => name !== 'Content-Type');
      draft.headers.push(['Content-Type', chance.one(BODY_TYPES)]);
    },
  ],
  [
    0.3,
    (draft, chance) => {
      const count = chance.one([200, 3000]);
      for (let at = 0; at < count; at += 1) draft.headers.push([`X-${at}`, '']);
    },
  ],
  [
    3,
    (draft, chance) => {
      draft.method = chance.one(METHODS);
    },
  ],
  [
    3,
    (draft, chance) => {
      draft.path = chance.one(TARGETS);
    },
  ],
  [
    2,
    (draft, chance) => {
      const at = chance.below(draft.path.length + 1);
      draft.path =
        draft.path.slice(0, at) +
        chance.one(['%', '/', '%00', '%ff', '%2f', '..', '?', '#', ';', '\xff', '"', '|', '😀'.repeat(2)]) +
        draft.path.slice(at);
    },
  ],
  [
    3,
    (draft, chance) => {
      draft.query += `${draft.query === '' ? '' : '&'}${chance.one(QUERIES)}`;
    },
  ],
  [
    0.5,
    (draft, chance) => {
      draft.version = chance.one(['1.0', '1.0', '0.9', '2.0', '1.2', '9.9', 'x']);
    },
  ],
];

function insert(bytes: Buffer, what: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)]);
}

/** The draft as bytes, with none, one or a few damages. */
export function damaged(draft: Draft, chance: Chance): Sendable {
  for (let count = chance.one([0, 0, 0, 0, 0, 1, 1, 2, 3]); count > 0; count -= 1)
    chance.weighted(DAMAGES)(draft, chance);
  const framing = chance.weighted(FRAMINGS);
  return framing(draft, chance);
}

type Framing = (draft: Draft, chance: Chance) => Sendable;

const FRAMINGS: readonly (readonly [weight: number, framing: Framing])[] = [
  [90, (draft) => (plain(draft) ? whole(draft) : broken(draft))],
  [5, (draft, chance) => (plain(draft) && draft.body !== null ? chunked(draft, chance) : broken(draft))],
  [2, (draft) => (plain(draft) && draft.method !== 'HEAD' ? pipelined(draft) : broken(draft))],
  [3, (draft, chance) => broken(draft, String((draft.body?.length ?? 0) + chance.one([-5, -1, 1, 100])))],
  [
    1,
    (draft, chance) => broken(draft, chance.one(['-1', 'x', '1e3', '99999999999999999999', '0x10', '5, 5', '+1', ' '])),
  ],
  [1, (draft) => broken({ ...draft, headers: [...draft.headers, ['Transfer-Encoding', 'chunked']] })],
  [1, (draft, chance) => cut(broken(draft), chance)],
];

/** Whether every reader of HTTP would see one request in it; only then is an answer due. */
function plain({ method, path, query, version, headers, body: bytes }: Draft): boolean {
  const sized = headers.filter(([name]) => name === 'Content-Length').length === 0 || bytes === null;
  const line = /^[!-~]+$/.test(path + query) && path.startsWith('/') && version === '1.1';
  const small =
    headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, path.length + query.length) < 15_000;
  const clean = headers.every(([, value]) => /^[\x20-\x7e\x80-\xff]*$/.test(value));
  return sized && line && small && clean && !['CONNECT', 'TRACE', 'QUERY'].includes(method);
}

function head({ method, path, query, version, headers }: Draft, more: readonly string[]): Buffer {
  const target = query === '' ? path : `${path}?${query}`;
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...more,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function framed(draft: Draft, length = String(draft.body?.length ?? 0)): Buffer {
  if (draft.body === null) return head(draft, []);
  return Buffer.concat([head(draft, [`Content-Length: ${length}`]), draft.body]);
}

function whole(draft: Draft): Sendable {
  return { bytes: framed(draft), answers: 1, bodiless: draft.method === 'HEAD' };
}

function pipelined(draft: Draft): Sendable {
  const bytes = framed(draft);
  return { bytes: Buffer.concat([bytes, bytes, bytes]), answers: 3, bodiless: false };
}

function broken(draft: Draft, length?: string): Sendable {
  return { bytes: framed(draft, length), answers: 0, bodiless: false };
}

function chunked(draft: Draft, chance: Chance): Sendable {
  const pieces: Buffer[] = [head(draft, ['Transfer-Encoding: chunked'])];
  let rest = draft.body ?? Buffer.alloc(0);
  while (rest.length > 0) {
    const piece = rest.subarray(0, 1 + chance.below(Math.max(1, Math.ceil(rest.length / 3))));
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
    rest = rest.subarray(piece.length);
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  return { bytes: Buffer.concat(pieces), answers: 1, bodiless: draft.method === 'HEAD' };
}

/** Ends somewhere in the middle. */
function cut({ bytes }: Sendable, chance: Chance): Sendable {
  return { bytes: bytes.subarray(0, chance.below(bytes.length)), answers: 0, bodiless: false };
}
