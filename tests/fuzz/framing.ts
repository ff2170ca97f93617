// Turns a request into bytes: whole, in chunks, pipelined, with a wrong length, or cut off.

import type { Chance } from '../support/chance.js';
import type { Draft } from './draft.js';
import type { Sendable, WireRequest } from './wire.js';

type Framing = (draft: Draft, chance: Chance) => Sendable;

export const FRAMINGS: readonly (readonly [weight: number, framing: Framing])[] = [
  [90, (draft) => (plain(draft) ? whole(draft) : malformed(draft))],
  [5, (draft, chance) => (plain(draft) && draft.body !== null ? chunked(draft, chance) : malformed(draft))],
  [2, (draft) => (plain(draft) && draft.method !== 'HEAD' ? pipelined(draft) : malformed(draft))],
  [3, (draft, chance) => malformed(draft, String((draft.body?.length ?? 0) + chance.one([-5, -1, 1, 100])))],
  [
    1,
    (draft, chance) =>
      malformed(draft, chance.one(['-1', 'x', '1e3', '99999999999999999999', '0x10', '5, 5', '+1', ' '])),
  ],
  [1, (draft) => malformed({ ...draft, headers: [...draft.headers, ['Transfer-Encoding', 'chunked']] })],
  [1, (draft, chance) => cut(malformed(draft), chance)],
];

/** Whether every reader of HTTP would see exactly one request; only then a response is required. */
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
  return { bytes: framed(draft), answers: 1, bodiless: draft.method === 'HEAD', asked: requestOf(draft) };
}

function requestOf({ method, path, headers }: Draft): WireRequest {
  const tunnels = method === 'POST' ? headers.filter(([name]) => name === 'X-HTTP-Method') : [];
  // Node joins repeated headers, so the first one alone does not count.
  return {
    method:
      tunnels
        .map(([, value]) => value)
        .join(', ')
        .toUpperCase() || method,
    path,
  };
}

function pipelined(draft: Draft): Sendable {
  const bytes = framed(draft);
  return { bytes: Buffer.concat([bytes, bytes, bytes]), answers: 3, bodiless: false };
}

function malformed(draft: Draft, length?: string): Sendable {
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

/** Cuts the bytes somewhere in the middle. */
function cut({ bytes }: Sendable, chance: Chance): Sendable {
  return { bytes: bytes.subarray(0, chance.below(bytes.length)), answers: 0, bodiless: false };
}
