// Every word of SQLite can be the name of a table and of a column.
import Database from 'better-sqlite3';
import { KEYWORDS, sqlName } from '../../generator/emit/sql.js';

test.each([...KEYWORDS])('F43: %s is a name like any other', (word) => {
  const db = new Database(':memory:');
  const name = sqlName(word);
  db.exec(`CREATE TABLE "${word}" ("id" TEXT PRIMARY KEY, "${word}" TEXT) STRICT, WITHOUT ROWID`);
  db.prepare(`INSERT INTO ${name} (id, ${name}) VALUES (@id, @${word})`).run({ id: 'one', [word]: 'before' });
  db.prepare(`UPDATE ${name} SET ${name} = @${word} WHERE id = @id`).run({ id: 'one', [word]: 'value' });
  const read = `SELECT t.${name} AS plain, t.${name} || '' AS joined, (SELECT ${name} FROM ${name} WHERE id = t.id) AS within FROM ${name} t`;
  expect(db.prepare(read).get()).toEqual({ plain: 'value', joined: 'value', within: 'value' });
  db.close();
});
