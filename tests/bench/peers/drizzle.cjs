// Express with Drizzle in place of prepared statements.

const { and, eq, gt, sql } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/better-sqlite3');
const { integer, sqliteTable, text } = require('drizzle-orm/sqlite-core');
const { randomUUID } = require('node:crypto');
const { hashOf, open, shown, shownGame } = require('./database.cjs');
const { serve } = require('./routes.cjs');

const texts = (...names) => Object.fromEntries(names.map((name) => [name, text(name)]));
const integers = (...names) => Object.fromEntries(names.map((name) => [name, integer(name)]));
const boxtop = sqliteTable('boxtop', {
  id: text('id').primaryKey(),
  ...texts('identity', 'name', 'game_id', 'top_id'),
  ...integers('date_created', 'date_updated', 'quantity', 'has_proofed_top'),
});
const session = sqliteTable('session', {
  id_hash: text('id_hash').primaryKey(),
  ...texts('user_id'),
  ...integers('expires'),
});
const game = sqliteTable('game', {
  id: text('id').primaryKey(),
  ...integers('date_created', 'date_updated'),
  ...texts('name', 'designer_id', 'description', 'short_description', 'cool_factor_1', 'cool_factor_2'),
  ...texts('cool_factor_3', 'website_uri', 'logo_id', 'backdrop_id', 'advertisement_id', 'category', 'min_age'),
  ...texts('play_time'),
  ...integers('min_players', 'max_players', 'enable_uv_coating', 'enable_linen_texture', 'public'),
});
const designer = sqliteTable('designer', { id: text('id').primaryKey(), ...texts('user_id') });

const [, , file, kind] = process.argv;
const db = drizzle(open(file));
const { top_id: _top, has_proofed_top: _proofed, ...seen } = boxtop;
const anyone = Object.fromEntries(
  ['id', 'identity', 'date_created', 'date_updated', 'name', 'game_id', 'quantity'].map((name) => [name, seen[name]]),
);

function mayEdit(id, user) {
  const owned = and(eq(game.id, id), eq(designer.user_id, user));
  const joined = db.select({ one: sql`1` }).from(game).innerJoin(designer, eq(designer.id, game.designer_id));
  return joined.where(owned).get() !== undefined;
}

/** The row, if the user may edit it. */
function editable(id, user) {
  const row = db.select().from(boxtop).where(eq(boxtop.id, id)).get();
  return row !== undefined && mayEdit(row.game_id, user) ? row : null;
}

const store = {
  userOf(authorization) {
    if (authorization === undefined) return null;
    const live = and(eq(session.id_hash, hashOf(authorization)), gt(session.expires, Date.now()));
    return db.select({ user: session.user_id }).from(session).where(live).get()?.user ?? null;
  },
  find(id, user) {
    if (user === null) {
      const row = db.select(anyone).from(boxtop).where(eq(boxtop.id, id)).get();
      return row === undefined ? null : shown(row);
    }
    const row = db.select().from(boxtop).where(eq(boxtop.id, id)).get();
    return row === undefined ? null : shown({ ...row, may_edit: Number(mayEdit(row.game_id, user)) });
  },
  findWithGame(id) {
    const joined = db.select({ box: anyone, game }).from(boxtop).innerJoin(game, eq(game.id, boxtop.game_id));
    const row = joined.where(eq(boxtop.id, id)).get();
    return row === undefined ? null : { ...shown(row.box), game: shownGame(row.game) };
  },
  list(id, size) {
    const rows = db.select(anyone).from(boxtop).where(eq(boxtop.game_id, id)).orderBy(boxtop.id).limit(size).all();
    return { items: rows.map(shown) };
  },
  create({ name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 }, user) {
    if (!mayEdit(game_id, user)) return null;
    const now = Date.now();
    const dates = { date_created: now, date_updated: now };
    const row = { id: randomUUID(), identity, ...dates, name, game_id, quantity, has_proofed_top: 0, top_id: null };
    db.insert(boxtop).values(row).run();
    return shown({ ...row, may_edit: 1 });
  },
  update(id, { name }, user) {
    const row = editable(id, user);
    if (row === null) return null;
    const changed = { name, date_updated: Date.now() };
    db.update(boxtop).set(changed).where(eq(boxtop.id, id)).run();
    return shown({ ...row, ...changed, may_edit: 1 });
  },
  remove(id, user) {
    if (editable(id, user) === null) return null;
    db.delete(boxtop).where(eq(boxtop.id, id)).run();
    return { success: 1 };
  },
};

serve(store, kind);
