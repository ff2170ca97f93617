// A server to compare with on PostgreSQL: one resource by hand on node:http and a `pg` pool, with the service's answers,
// headers, checks and tables. Statements are named, and one statement writes the row, as a careful author would do it.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, types } from 'pg';
import { createIds } from '../../runtime/contract/ids.js';
import { JSON_SECURITY } from '../../runtime/http/respond.js';

const pool = new Pool({
  connectionString: process.argv[2] ?? '',
  types: { getTypeParser: (oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid)) },
});
const ids = createIds(randomBytes);
const PATH = '/api/boxtop';
const SEEN = 'b.id, b.identity, b.date_created, b.date_updated, b.name, b.game_id, b.quantity';
const MAY_EDIT = `EXISTS (SELECT 1 FROM designer d WHERE d._shard = $1 AND d.id = g.designer_id AND (d.user_id = $3
  OR EXISTS (SELECT 1 FROM designerassociate a WHERE a._shard = $1 AND a.designer_id = d.id AND a.user_id = $3)))`;
const FIND = `SELECT ${SEEN} FROM boxtop b WHERE b._shard = $1 AND b.id = $2`;
const FIND_AS_USER = `SELECT ${SEEN}, b.top_id, b.has_proofed_top, f.name AS file_name, ${MAY_EDIT} AS may_edit FROM boxtop b
  JOIN game g ON g._shard = b._shard AND g.id = b.game_id LEFT JOIN file f ON f._shard = left(b.top_id, 2) AND f.id = b.top_id
  WHERE b._shard = $1 AND b.id = $2`;
const FIND_GAME = `SELECT ${MAY_EDIT} AS may_edit FROM game g WHERE g._shard = $1 AND g.id = $2`;
const FIND_USER = `SELECT s.user_id FROM session s JOIN "user" u ON u._shard = s._shard AND u.id = s.user_id
  AND right(u.password, 16) = s.password_tag WHERE s._shard = $1 AND s.id_hash = $2 AND s.expires > $3`;
const INSERT = `INSERT INTO boxtop (_shard, id, date_created, date_updated, identity, name, game_id, quantity, has_proofed_top)
  VALUES ($1, $2, $3, $3, $4, $5, $6, $7, 0)`;

interface Box {
  readonly id: string;
  readonly identity: string;
  readonly date_created: number;
  readonly date_updated: number;
  readonly name: string;
  readonly game_id: string;
  readonly quantity: number;
  readonly top_id?: string | null;
  readonly has_proofed_top?: number;
  readonly file_name?: string | null;
}

async function rows<T extends object>(name: string, text: string, values: unknown[]): Promise<T[]> {
  return (await pool.query<T>({ name, text, values })).rows;
}

async function fetchBox(id: string, user: string | null, res: ServerResponse): Promise<void> {
  const shard = id.slice(0, 2);
  const [box] =
    user === null
      ? await rows<Box>('find', FIND, [shard, id])
      : await rows<Box & { may_edit: boolean }>('findAsUser', FIND_AS_USER, [shard, id, user]);
  if (box === undefined) refuse(res, 404, 'not_found');
  else answer(res, 200, shown(box, 'may_edit' in box && box.may_edit === true));
}

async function createBox(sent: unknown, user: string | null, res: ServerResponse): Promise<void> {
  if (user === null) return refuse(res, 401, 'login_required');
  const { name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 } = Object(sent) as Partial<Box>;
  if (typeof name !== 'string' || name.length < 1 || name.length > 255) return refuse(res, 422, 'invalid');
  if (typeof game_id !== 'string' || !Number.isInteger(quantity)) return refuse(res, 422, 'invalid');
  const shard = game_id.slice(0, 2);
  const [game] = await rows<{ may_edit: boolean }>('findGame', FIND_GAME, [shard, game_id, user]);
  if (game === undefined) return refuse(res, 422, 'reference_not_found');
  if (!game.may_edit) return refuse(res, 403, 'forbidden');
  const now = Date.now();
  const id = ids.next(shard, now);
  await rows('insert', INSERT, [shard, id, now, identity, name, game_id, quantity]);
  const box = { id, identity, date_created: now, date_updated: now, name, game_id, quantity };
  answer(res, 201, shown({ ...box, top_id: null, has_proofed_top: 0 }, true), ['Location', `${PATH}/${id}`]);
}

function shown(box: Box, isEditor: boolean): object {
  const { id, identity, name, game_id, quantity, top_id, has_proofed_top, file_name } = box;
  return {
    id,
    identity,
    object_type: 'boxtop',
    wing_object_type: 'boxtop',
    date_created: new Date(box.date_created).toISOString(),
    date_updated: new Date(box.date_updated).toISOString(),
    name,
    game_id,
    quantity,
    ...(isEditor ? { top_id, has_proofed_top: has_proofed_top === 1 } : {}),
    ...(isEditor && top_id ? { top: { id: top_id, name: file_name } } : {}),
  };
}

async function userOf({ headers }: IncomingMessage): Promise<string | null> {
  const session = headers.authorization?.replace(/^Bearer /, '');
  if (session === undefined) return null;
  const hash = createHash('sha256').update(session).digest('hex');
  const [found] = await rows<{ user_id: string }>('findUser', FIND_USER, [session.slice(0, 2), hash, Date.now()]);
  return found?.user_id ?? null;
}

function refuse(res: ServerResponse, status: number, code: string): void {
  answer(res, status, { code });
}

function answer(res: ServerResponse, status: number, value: object, more: readonly string[] = []): void {
  const body = JSON.stringify(value);
  const type = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))];
  res.writeHead(status, [
    ...[...JSON_SECURITY, 'Cache-Control', 'no-store', 'X-Request-Id', randomUUID()],
    ...[...type, ...more],
  ]);
  res.end(body);
}

async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    req.on('error', reject);
  });
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method, url = '' } = req;
  if (method === 'POST' && url === PATH) {
    const [sent, user] = await Promise.all([bodyOf(req), userOf(req)]);
    await createBox(sent, user, res);
  } else if (method === 'GET' && url.startsWith(`${PATH}/`)) {
    await fetchBox(url.slice(PATH.length + 1), await userOf(req), res);
  } else refuse(res, 404, 'not_found');
}

const server = http.createServer((req, res) => {
  serve(req, res).catch(() => refuse(res, 500, 'internal'));
});
server.listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
