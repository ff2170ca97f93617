// What all peers share: the service's own tables, read and written with prepared statements as their users would write them.
// Each create is a durable transaction of its own.

const { createHash, randomUUID } = require('node:crypto');
const Database = require('better-sqlite3');

const MAY_EDIT = `EXISTS (SELECT 1 FROM game g JOIN designer d ON d.id = g.designer_id WHERE g.id = $game AND (d.user_id = $user
  OR EXISTS (SELECT 1 FROM designerassociate a WHERE a.designer_id = d.id AND a.user_id = $user)))`;
const SHOWN = 'id, identity, date_created, date_updated, name, game_id, quantity';
const FOR_USER = `SELECT ${SHOWN}, top_id, has_proofed_top, ${MAY_EDIT.replace('$game', 'boxtop.game_id')} AS may_edit`;

function open(file) {
  const db = new Database(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return db;
}

/** Functions that a handler calls: `userOf`, `find`, `list`, `create` (null: not allowed). */
function prepare(db) {
  const session = db.prepare('SELECT user_id FROM session WHERE id_hash = ? AND expires > ?').pluck();
  const forAnyone = db.prepare(`SELECT ${SHOWN} FROM boxtop WHERE id = ?`);
  const forUser = db.prepare(`${FOR_USER} FROM boxtop WHERE id = $id`);
  const page = db.prepare(`SELECT ${SHOWN} FROM boxtop WHERE game_id = ? ORDER BY id LIMIT ?`);
  const mayEdit = db.prepare(`SELECT ${MAY_EDIT}`).pluck();
  const insert = db.prepare(
    `INSERT INTO boxtop (id, date_created, date_updated, identity, name, game_id, quantity, has_proofed_top)
     VALUES (@id, @now, @now, @identity, @name, @game_id, @quantity, 0)`,
  );
  return {
    userOf(authorization) {
      if (authorization === undefined) return null;
      const hash = createHash('sha256')
        .update(authorization.replace(/^Bearer /, ''))
        .digest('hex');
      return session.get(hash, Date.now()) ?? null;
    },
    find(id, user) {
      const row = user === null ? forAnyone.get(id) : forUser.get({ id, user });
      return row === undefined ? null : shown(row);
    },
    list: (game, size) => ({ items: page.all(game, size).map(shown) }),
    create({ name, game_id, identity = 'DeckBoxTopAndSide', quantity = 1 }, user) {
      if (mayEdit.get({ game: game_id, user }) !== 1) return null;
      const row = { id: randomUUID(), now: Date.now(), identity, name, game_id, quantity };
      insert.run(row);
      const { now, ...rest } = row;
      return shown({ ...rest, date_created: now, date_updated: now, top_id: null, has_proofed_top: 0, may_edit: 1 });
    },
  };
}

function shown({ may_edit, top_id, has_proofed_top, date_created, date_updated, ...row }) {
  return {
    ...row,
    object_type: 'boxtop',
    wing_object_type: 'boxtop',
    date_created: new Date(date_created).toISOString(),
    date_updated: new Date(date_updated).toISOString(),
    ...(may_edit === 1 ? { top_id, has_proofed_top: has_proofed_top === 1 } : {}),
  };
}

/** The line that the benchmark waits for. */
function announce(port) {
  console.log(`listens on http://127.0.0.1:${port}`);
}

module.exports = { open, prepare, announce };
