// Express with Drizzle in place of prepared statements, and with what `express.cjs` has in front unless it is `bare`.

const express = require('express');
const { rateLimit } = require('express-rate-limit');
const pinoHttp = require('pino-http');
const { and, eq, gt, sql } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/better-sqlite3');
const { integer, sqliteTable, text } = require('drizzle-orm/sqlite-core');
const { createHash, randomUUID } = require('node:crypto');
const { announce, open } = require('./database.cjs');

const boxtop = sqliteTable('boxtop', {
  id: text('id').primaryKey(),
  identity: text('identity').notNull(),
  date_created: integer('date_created').notNull(),
  date_updated: integer('date_updated').notNull(),
  name: text('name').notNull(),
  game_id: text('game_id').notNull(),
  quantity: integer('quantity').notNull(),
  has_proofed_top: integer('has_proofed_top').notNull(),
});
const session = sqliteTable('session', {
  id_hash: text('id_hash').primaryKey(),
  user_id: text('user_id'),
  expires: integer('expires'),
});
const game = sqliteTable('game', { id: text('id').primaryKey(), designer_id: text('designer_id') });
const designer = sqliteTable('designer', { id: text('id').primaryKey(), user_id: text('user_id') });

const [, , file, kind] = process.argv;
const db = drizzle(open(file));
const app = express();
if (kind !== 'bare') {
  app.use(pinoHttp({}, process.stderr));
  app.use(rateLimit({ windowMs: 60_000, limit: 1e9 }));
}
app.use(express.json());

function userOf(authorization) {
  if (authorization === undefined) return null;
  const hash = createHash('sha256')
    .update(authorization.replace(/^Bearer /, ''))
    .digest('hex');
  const live = and(eq(session.id_hash, hash), gt(session.expires, Date.now()));
  return db.select({ user: session.user_id }).from(session).where(live).get()?.user ?? null;
}

function mayEdit(id, user) {
  const owned = and(eq(game.id, id), eq(designer.user_id, user));
  const joined = db.select({ one: sql`1` }).from(game).innerJoin(designer, eq(designer.id, game.designer_id));
  return joined.where(owned).get() !== undefined;
}

function shown({ has_proofed_top, date_created, date_updated, ...row }, isEditor) {
  return {
    ...row,
    object_type: 'boxtop',
    wing_object_type: 'boxtop',
    date_created: new Date(date_created).toISOString(),
    date_updated: new Date(date_updated).toISOString(),
    ...(isEditor ? { top_id: null, has_proofed_top: has_proofed_top === 1 } : {}),
  };
}

app.get('/api/boxtop/:id', (req, res) => {
  const user = userOf(req.headers.authorization);
  const row = db.select().from(boxtop).where(eq(boxtop.id, req.params.id)).get();
  if (row === undefined) res.status(404).json({ code: 'not_found' });
  else res.json(shown(row, user !== null && mayEdit(row.game_id, user)));
});
app.get('/api/game/:id/boxtops', (req, res) => {
  const own = db.select().from(boxtop).where(eq(boxtop.game_id, req.params.id));
  const rows = own.orderBy(boxtop.id).limit(Number(req.query._items_per_page)).all();
  res.json({ items: rows.map((row) => shown(row, false)) });
});
app.post('/api/boxtop', (req, res) => {
  const user = userOf(req.headers.authorization);
  if (user === null) return res.status(401).json({ code: 'login_required' });
  const { name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 } = req.body;
  if (!mayEdit(game_id, user)) return res.status(403).json({ code: 'forbidden' });
  const now = Date.now();
  const row = {
    id: randomUUID(),
    date_created: now,
    date_updated: now,
    identity,
    name,
    game_id,
    quantity,
    has_proofed_top: 0,
  };
  db.insert(boxtop).values(row).run();
  return res.status(201).json(shown(row, true));
});

const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
