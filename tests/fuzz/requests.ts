// One hostile request: a sensible one to some endpoint, damaged in a few places.

import { pngSquare, SVG_HEXAGON } from '../../runtime/admin/demo/images.js';
import type { Chance } from '../support/chance.js';
import { applyDamages } from './damage.js';
import { type Draft, spoiled } from './draft.js';
import { asMultipart, asQuery, type EncodedBody, encode, type FilePart, type Pairs } from './encodings.js';
import type { Endpoint } from './endpoints.js';
import { NOISE } from './noise.js';
import { goodValue, hostileValue, literal, type Value } from './values.js';
import type { Sendable } from './wire.js';
import type { World } from './world.js';

type WeightedEndpoints = readonly (readonly [weight: number, endpoint: Endpoint])[];

export function requestOf(endpoints: readonly WeightedEndpoints[], world: World, chance: Chance): Sendable {
  if (chance.happens(0.01)) return { bytes: chance.one(NOISE), answers: 0, bodiless: false };
  const draft = draftOf(chance.weighted(chance.one(endpoints)), world, chance);
  return applyDamages(draft, chance);
}

function draftOf(endpoint: Endpoint, world: World, chance: Chance): Draft {
  const { method } = endpoint;
  const pairs = [...pairsOf(endpoint, world, chance)];
  const headers: Draft['headers'] = [['Host', '127.0.0.1']];
  const session = sessionOf(world, chance);
  if (session !== null && chance.happens(0.5)) headers.push(['Authorization', `Bearer ${session}`]);
  else if (session !== null) pairs.push(['session_id', literal(session)]);
  const path = endpoint.path(world, chance);
  const inQuery = chance.happens(method === 'GET' ? 0.8 : 0.1);
  if (inQuery) return { method, path, query: asQuery(pairs), version: '1.1', headers, body: null };
  const { type, body } = bodyOf(endpoint, pairs, chance);
  headers.push(['Content-Type', type]);
  const [verb, header] = tunnelled(method, chance);
  if (header !== null) headers.push(['X-HTTP-Method', header]);
  return { method: verb, path, query: '', version: '1.1', headers, body };
}

function* pairsOf({ fields }: Endpoint, world: World, chance: Chance): Iterable<Pairs[number]> {
  const spoiled = chance.one([0, 0, 0, 0, 0.05, 0.1, 0.2, 1]);
  const present = chance.one([1, 1, 1, 0.9, 0.5]);
  for (const [name, field] of fields) {
    if (!chance.happens(present)) continue;
    const cursor = name === '_cursor' && world.cursors.length > 0;
    const good = (): Value => (cursor ? literal(chance.one(world.cursors)) : goodValue(field, world.pool, chance));
    yield [name, chance.happens(spoiled) ? hostileValue(chance) : good()];
    if (chance.happens(spoiled / 10)) yield [name, good()];
  }
  if (chance.happens(0.1)) yield [chance.one(NAMES), hostileValue(chance)];
}

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', '', ' ', 'a'.repeat(5000)],
  ...[
    '\0',
    '\ud800',
    'a[b]',
    'a[]',
    'a.b',
    'id',
    'ID',
    'date_created',
    'object_type',
    '@user',
    '"',
    "';--",
    '😀',
    'a,b',
  ],
];

/** A valid session, none, an expired one, or a text that never was a session. */
function sessionOf(world: World, chance: Chance): string | null {
  return chance.weighted<() => string | null>([
    [12, () => chance.one(world.sessions)],
    [1.5, () => null],
    [1, () => world.pool.loose('session', chance)],
    [0.5, () => chance.one(['', 'x', 'undefined', 'A'.repeat(27), 'A'.repeat(81), "' OR 1=1", '../..', '%00'])],
  ])();
}

function bodyOf({ upload }: Endpoint, pairs: Pairs, chance: Chance): EncodedBody {
  if (upload === null || chance.happens(0.1)) return encode(pairs, chance);
  const files = Array.from({ length: chance.one([1, 1, 1, 1, 0, 2]) }, () => fileOf(upload, chance));
  return asMultipart(pairs, files);
}

const PICTURES = [
  pngSquare(1, 2, 3),
  SVG_HEXAGON,
  Buffer.from('GIF89a'),
  Buffer.from('%PDF-1.7'),
  Buffer.from('\xff\xd8\xff\xe0', 'latin1'),
];
const FILE_NAMES = ['a.png', '', '../../x.png', 'a\\b', 'é😀.svg', 'x'.repeat(4000), '%00', '.', 'con', 'a;b="c'];

function fileOf(part: string, chance: Chance): FilePart {
  const picture = chance.one(PICTURES);
  const cut = chance.happens(0.3) ? picture.subarray(0, chance.below(picture.length + 1)) : picture;
  const bytes = chance.happens(0.3) ? Buffer.concat([cut, noise(chance.one([1, 100, 70_000]), chance)]) : cut;
  const name = chance.happens(0.9) ? part : chance.one(['other', '', '__proto__']);
  return { name, filename: chance.one(FILE_NAMES), bytes: chance.happens(0.3) ? spoiled(bytes, chance) : bytes };
}

function noise(size: number, chance: Chance): Buffer {
  return Buffer.alloc(size, chance.one(['<svg ', '\0', '\xff\xda', '<!ENTITY a "b">', '&#x0;']));
}

/** Any POST may carry the header, usually with the method that is meant (D12). */
function tunnelled(method: string, chance: Chance): readonly [method: string, header: string | null] {
  if (method === 'GET' || !chance.happens(0.1)) return [method, null];
  return ['POST', chance.happens(0.7) ? method : chance.one([method.toLowerCase(), 'PATCH', 'GET', '', 'PUT, DELETE'])];
}
