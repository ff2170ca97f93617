// What all peers share: the service's own tables, read and written with prepared statements as their users would write them.
// Each write is a durable transaction of its own.

const { createHash, randomUUID } = require('node:crypto');
const Database = require('better-sqlite3');

const MAY_EDIT = `EXISTS (SELECT 1 FROM game g JOIN designer d ON d.id = g.designer_id WHERE g.id = $game AND (d.user_id = $user
  OR EXISTS (SELECT 1 FROM designerassociate a WHERE a.designer_id = d.id AND a.user_id = $user)))`;
const SHOWN = 'id, identity, date_created, date_updated, name, game_id, quantity';
const FOR_USER = `SELECT ${SHOWN}, top_id, has_proofed_top, ${MAY_EDIT.replace('$game', 'boxtop.game_id')} AS may_edit`;
/** Columns of a game that are not shown to everybody. */
const PRIVATE = ['private_sales', 'private_viewing', 'use_automatic_pricing', 'archived'];

function open(file) {
  const db = new Database(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return db;
}

/** Functions that a handler calls: `userOf`, `find`, `findWithGame`, `list`, and writes (null: not allowed). */
function prepare(db) {
  const session = db.prepare('SELECT user_id FROM session WHERE id_hash = ? AND expires > ?').pluck();
  const forAnyone = db.prepare(`SELECT ${SHOWN} FROM boxtop WHERE id = ?`);
  const forUser = db.prepare(`${FOR_USER} FROM boxtop WHERE id = $id`);
  const game = db.prepare('SELECT * FROM game WHERE id = ?');
  const page = db.prepare(`SELECT ${SHOWN} FROM boxtop WHERE game_id = ? ORDER BY id LIMIT ?`);
  const mayEdit = db.prepare(`SELECT ${MAY_EDIT}`).pluck();
  const insert = db.prepare(
    `INSERT INTO boxtop (id, date_created, date_updated, identity, name, game_id, quantity, has_proofed_top)
     VALUES (@id, @now, @now, @identity, @name, @game_id, @quantity, 0)`,
  );
  const update = db.prepare('UPDATE boxtop SET name = ?, date_updated = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM boxtop WHERE id = ?');
  return {
    userOf: (authorization) =>
      authorization === undefined ? null : (session.get(hashOf(authorization), Date.now()) ?? null),
    find(id, user) {
      const row = user === null ? forAnyone.get(id) : forUser.get({ id, user });
      return row === undefined ? null : shown(row);
    },
    findWithGame(id) {
      const row = forAnyone.get(id);
      return row === undefined ? null : { ...shown(row), game: shownGame(game.get(row.game_id)) };
    },
    list: (game, size) => ({ items: page.all(game, size).map(shown) }),
    create({ name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 }, user) {
      if (mayEdit.get({ game: game_id, user }) !== 1) return null;
      const row = { id: randomUUID(), now: Date.now(), identity, name, game_id, quantity };
      insert.run(row);
      const { now, ...rest } = row;
      return shown({ ...rest, date_created: now, date_updated: now, top_id: null, has_proofed_top: 0, may_edit: 1 });
    },
    update(id, { name }, user) {
      const row = forUser.get({ id, user });
      if (row?.may_edit !== 1) return null;
      const now = Date.now();
      update.run(name, now, id);
      return shown({ ...row, name, date_updated: now });
    },
    remove(id, user) {
      if (forUser.get({ id, user })?.may_edit !== 1) return null;
      remove.run(id);
      return { success: 1 };
    },
  };
}

/** Under which a session is stored. */
function hashOf(authorization) {
  return createHash('sha256')
    .update(authorization.replace(/^Bearer /, ''))
    .digest('hex');
}

function shown({ may_edit, top_id, has_proofed_top, ...row }) {
  return {
    ...row,
    object_type: 'boxtop',
    wing_object_type: 'boxtop',
    ...datesOf(row),
    ...(may_edit === 1 ? { top_id, has_proofed_top: has_proofed_top === 1 } : {}),
  };
}

function shownGame(row) {
  const record = {
    ...row,
    object_type: 'game',
    ...datesOf(row),
    enable_uv_coating: row.enable_uv_coating === 1,
    enable_linen_texture: row.enable_linen_texture === 1,
    public: row.public === 1,
    edit_uri: `/make/games/${row.id}`,
  };
  for (const name of PRIVATE) delete record[name];
  return record;
}

function datesOf({ date_created, date_updated }) {
  return {
    date_created: new Date(Number(date_created)).toISOString(),
    date_updated: new Date(Number(date_updated)).toISOString(),
  };
}

/** The line that the benchmark waits for. */
function announce(port) {
  console.log(`listens on http://127.0.0.1:${port}`);
}

module.exports = { open, prepare, hashOf, shown, shownGame, announce };
