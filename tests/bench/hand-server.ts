// A server to compare with on SQLite: one resource by hand on node:http and better-sqlite3, and uploads. It checks the
// session, the right and the parameters like the service, and writes each record durably in a transaction of its own. It has
// two headers, and no log, limits or metrics.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import busboy from 'busboy';
import { createIds, placementOf } from '../../runtime/contract/ids.js';
import { GAME, gameOf, RECORD, recordOf } from './record.js';

const [, , file = ''] = process.argv;
const db = new Database(file);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
const folder = `${file}-files`;
mkdirSync(folder);
const ids = createIds(randomBytes);
const PATH = '/api/boxtop';
const WITH_GAME = '?_include_related_objects=game';
const MAY_EDIT = `EXISTS (SELECT 1 FROM game g JOIN designer d ON d.id = g.designer_id WHERE g.id = $game AND (d.user_id = $user
  OR EXISTS (SELECT 1 FROM designerassociate a WHERE a.designer_id = d.id AND a.user_id = $user)))`;
const find = db.prepare<[string], Box>(RECORD);
const findAsUser = db.prepare<{ id: string; user: string }, Box>(
  RECORD.replace(
    ' FROM',
    `, top_id, has_proofed_top, ${MAY_EDIT.replace('$game', 'boxtop.game_id')} AS may_edit FROM`,
  ).replace('?', '$id'),
);
const findGame = db.prepare<[string], object>(GAME);
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
const update = db.prepare('UPDATE boxtop SET name = ?, date_updated = ? WHERE id = ?');
const remove = db.prepare('DELETE FROM boxtop WHERE id = ?');
const insertFile = db.prepare(
  `INSERT INTO file (id, date_created, date_updated, user_id, name, file_type, file_size, content_hash, access_key)
   VALUES (?, ?, ?, ?, ?, 'application/octet-stream', ?, ?, ?)`,
);

interface Box {
  readonly game_id: string;
  readonly may_edit?: number;
  readonly top_id?: string | null;
  readonly has_proofed_top?: number;
}

type SentParameters = Readonly<Record<string, unknown>>;
type Answer = readonly [status: number, body: object];

function userOf({ headers }: IncomingMessage): string | null {
  const session = headers.authorization?.replace(/^Bearer /, '');
  if (session === undefined) return null;
  return findUser.get(createHash('sha256').update(session).digest('hex'), Date.now()) ?? null;
}

function fetchBox(id: string, user: string | null): Answer {
  const box = user === null ? find.get(id) : findAsUser.get({ id, user });
  return box === undefined ? [404, { code: 'not_found' }] : [200, shown(box)];
}

function shown({ may_edit, top_id, has_proofed_top, ...box }: Box): object {
  return recordOf(may_edit === 1 ? { ...box, top_id, has_proofed_top: has_proofed_top === 1 } : box);
}

function fetchWithGame(id: string): Answer {
  const box = find.get(id);
  if (box === undefined) return [404, { code: 'not_found' }];
  return [200, { ...recordOf(box), game: gameOf(findGame.get(box.game_id) ?? {}) }];
}

/** `/api/game/<id>/boxtops?_items_per_page=<size>` */
function listBoxes(url: string): Answer {
  const [, game = '', size] = /^\/api\/game\/(\w+)\/boxtops\?_items_per_page=(\d+)$/.exec(url) ?? [];
  return [200, { items: list.all(game, Number(size)).map(recordOf) }];
}

function createBox(sent: SentParameters, user: string): Answer {
  const { name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 } = sent;
  if (!isName(name) || !Number.isInteger(quantity) || typeof game_id !== 'string') return [422, { code: 'invalid' }];
  if (mayEdit.get({ game: game_id, user }) !== 1) return [403, { code: 'forbidden' }];
  const now = Date.now();
  const id = ids.next(placementOf(game_id), now);
  insert.run(id, now, now, identity, name, game_id, quantity);
  const box = { id, identity, date_created: now, date_updated: now, name, game_id, quantity };
  return [201, recordOf({ ...box, top_id: null, has_proofed_top: false })];
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name.length > 0 && name.length <= 255;
}

function updateBox(id: string, { name }: SentParameters, user: string): Answer {
  if (!isName(name)) return [422, { code: 'invalid' }];
  const box = findAsUser.get({ id, user });
  if (box?.may_edit !== 1) return [403, { code: 'forbidden' }];
  const now = Date.now();
  update.run(name, now, id);
  return [200, shown({ ...box, ...{ name, date_updated: now } })];
}

function deleteBox(id: string, user: string): Answer {
  if (findAsUser.get({ id, user })?.may_edit !== 1) return [403, { code: 'forbidden' }];
  remove.run(id);
  return [200, { success: 1 }];
}

/** The bytes are durable under their hash before the row is written. */
function upload(req: IncomingMessage, user: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const form = busboy({ headers: req.headers });
    form.on('file', (_part, stream, { filename = '' }) => void keep(stream, filename, user).then(resolve, reject));
    form.on('error', reject);
    req.pipe(form);
  });
}

async function keep(stream: AsyncIterable<Buffer>, name: string, user: string): Promise<Answer> {
  const now = Date.now();
  const id = ids.next(placementOf(user), now);
  const [path, digest] = [join(folder, id), createHash('sha256')];
  const handle = await open(path, 'w');
  let size = 0;
  for await (const chunk of stream) {
    digest.update(chunk);
    size += chunk.length;
    await handle.write(chunk);
  }
  await handle.sync();
  await handle.close();
  const hash = digest.digest('hex');
  await rename(path, join(folder, hash));
  const directory = await open(folder);
  await directory.sync();
  await directory.close();
  const key = randomBytes(16).toString('base64url');
  insertFile.run(id, now, now, user, name, size, hash, key);
  return [201, { id, object_type: 'file', user_id: user, name, file_size: size, file_uri: `/files/${id}/${key}` }];
}

function read(req: IncomingMessage, url: string): Answer {
  if (url.endsWith(WITH_GAME)) return fetchWithGame(url.slice(PATH.length + 1, -WITH_GAME.length));
  return url.includes('?') ? listBoxes(url) : fetchBox(url.slice(PATH.length + 1), userOf(req));
}

async function write(req: IncomingMessage, url: string): Promise<Answer> {
  const user = userOf(req);
  if (user === null) return [401, { code: 'login_required' }];
  if (url === '/api/file') return upload(req, user);
  const id = url.slice(PATH.length + 1);
  if (req.method === 'DELETE') return deleteBox(id, user);
  const sent = await bodyOf(req);
  return req.method === 'PUT' ? updateBox(id, sent, user) : createBox(sent, user);
}

function bodyOf(req: IncomingMessage): Promise<SentParameters> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(Object(JSON.parse(Buffer.concat(chunks).toString()))));
  });
}

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
  if (method === 'GET') answer(res, read(req, url));
  else void write(req, url).then((result) => answer(res, result));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
