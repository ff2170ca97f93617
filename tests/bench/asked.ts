// What the measured servers are asked, and what they answer: fetches of box tops, and creates.

import type { Ground } from './ground.js';
import type { Server } from './servers.js';

export type What = 'fetch, anonymous' | 'fetch, its owner' | 'create';

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** By what is measured. */
export function askedOf({ session, game, ids }: Ground): Readonly<Record<What, readonly Asked[]>> {
  const user = { Authorization: `Bearer ${session}` };
  const fetches = (headers: Asked['headers']): readonly Asked[] =>
    ids.map((id) => ({ method: 'GET', path: `/api/boxtop/${id}`, headers, body: null }));
  const body = JSON.stringify({ name: 'Box', game_id: game });
  const content = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
  return {
    'fetch, anonymous': fetches({}),
    'fetch, its owner': fetches(user),
    create: [{ method: 'POST', path: '/api/boxtop', headers: { ...user, ...content }, body }],
  };
}

/** What does not depend on when it was asked: the status, the names of the headers, and the record without its id and dates. */
export async function answerOf({ address }: Server, asked: Asked | undefined) {
  if (asked === undefined) throw new Error('nothing is asked');
  const { method, path, headers, body } = asked;
  const answer = await fetch(`${address}${path}`, { method, headers, body });
  const record = JSON.stringify(await answer.json(), (key, value) => (/^(id|date_.*)$/.test(key) ? '' : value));
  return { status: answer.status, headers: [...answer.headers.keys()], record };
}

/** The whole request. */
export function textOf({ method, path, headers, body }: Asked): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
