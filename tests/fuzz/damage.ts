// Damages a request in its body, headers or request line.

import type { Chance } from '../support/chance.js';
import { type Draft, spoiled } from './draft.js';
import { FRAMINGS } from './framing.js';
import { BODY_TYPES, ENDS, HEADERS, METHODS, QUERIES, TARGETS } from './spoils.js';
import type { Sendable } from './wire.js';

type Damage = (draft: Draft, chance: Chance) => void;

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
      // Sending it twice, if the draft has it already, is a case of its own.
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

/** The draft as bytes, with up to a few damages. */
export function applyDamages(draft: Draft, chance: Chance): Sendable {
  for (let count = chance.one([0, 0, 0, 0, 0, 1, 1, 2, 3]); count > 0; count -= 1)
    chance.weighted(DAMAGES)(draft, chance);
  const framing = chance.weighted(FRAMINGS);
  return framing(draft, chance);
}
