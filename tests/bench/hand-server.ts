// What there is to compare with on SQLite: one resource by hand on node:http and better-sqlite3. It checks the session, the
// right and the parameters as the service does, and writes each record durably in a transaction of its own. It has no log,
// limits or metrics, and two headers.

import { createHash, randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import { createIds, placementOf } from '../../runtime/ids.js';
import { RECORD, recordOf } from './record.js';

const db = new Database(process.argv[2] ?? '');
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
const ids = createIds(randomBytes);
const PATH = '/api/boxtop';
const MAY_EDIT = `EXISTS (SELECT 1 FROM game g JOIN designer d ON d.id = g.designer_id WHERE g.id = $game AND (d.user_id = $user
  OR EXISTS (SELECT 1 FROM designerassociate a WHERE a.designer_id = d.id AND a.user_id = $user)))`;
const find = db.prepare<[string], object>(RECORD);
const findAsUser = db.prepare<{ id: string; user: string }, object & { may_edit: number }>(
  RECORD.replace(
    ' FROM',
    `, top_id, has_proofed_top, ${MAY_EDIT.replace('$game', 'boxtop.game_id')} AS may_edit FROM`,
  ).replace('?', '$id'),
);
const mayEdit = db.prepare<{ game: string; user: string }, number>(`SELECT ${MAY_EDIT}`).pluck();
const list = db.prepare<[string, number], object>(RECORD.replace('id = ?', 'game_id = ? ORDER BY id LIMIT ?'));
const findUser = db
  .prepare<[string, number], string>(
    `SELECT s.user_id FROM session s JOIN "user" u ON u.id = s.user_id AND substr(u.password, -16) = s.stamp
     WHERE s.id_hash = ? AND s.expires > ?`,
  )
  .pluck();
const insert = db.prepare(
  `INSERT INTO boxtop (id, date_created, date_updated, identity, name, game_id, quantity, has_proofed_top)
   VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
);

function userOf({ headers }: IncomingMessage): string | null {
  const session = headers.authorization?.replace(/^Bearer /, '');
  if (session === undefined) return null;
  return findUser.get(createHash('sha256').update(session).digest('hex'), Date.now()) ?? null;
}

type Answer = readonly [status: number, body: object];

function fetchBox(id: string, user: string | null): Answer {
  const box = user === null ? find.get(id) : findAsUser.get({ id, user });
  if (box === undefined) return [404, { code: 'not_found' }];
  const { may_edit, top_id, has_proofed_top, ...shown } = box as Readonly<Record<string, unknown>>;
  return [200, recordOf(may_edit === 1 ? { ...shown, top_id, has_proofed_top: has_proofed_top === 1 } : shown)];
}

function createBox(sent: unknown, user: string | null): Answer {
  if (user === null) return [401, { code: 'login_required' }];
  const { name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 } = Object(sent) as Sent;
  const isValid = typeof name === 'string' && name.length > 0 && name.length <= 255 && Number.isInteger(quantity);
  if (!isValid || typeof game_id !== 'string') return [422, { code: 'invalid' }];
  if (mayEdit.get({ game: game_id, user }) !== 1) return [403, { code: 'forbidden' }];
  const now = Date.now();
  const id = ids.next(placementOf(game_id), now);
  insert.run(id, now, now, identity, name, game_id, quantity);
  const box = { id, identity, date_created: now, date_updated: now, name, game_id, quantity };
  return [201, recordOf({ ...box, top_id: null, has_proofed_top: false })];
}

/** `/api/game/<id>/boxtops?_items_per_page=<size>` */
function listBoxes(url: string): Answer {
  const [, game = '', size] = /^\/api\/game\/(\w+)\/boxtops\?_items_per_page=(\d+)$/.exec(url) ?? [];
  return [200, { items: list.all(game, Number(size)).map(recordOf) }];
}

type Sent = Readonly<Record<string, unknown>>;

function answer(res: ServerResponse, [status, value]: Answer): void {
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
}

const server = http.createServer((req, res) => {
  const { method, url = '' } = req;
  if (url.includes('?')) answer(res, listBoxes(url));
  else if (method === 'GET') answer(res, fetchBox(url.slice(PATH.length + 1), userOf(req)));
  else {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => answer(res, createBox(JSON.parse(Buffer.concat(chunks).toString()), userOf(req))));
  }
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
