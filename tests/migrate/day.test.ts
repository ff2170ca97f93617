// A field that becomes a day, or was one: stored as text, so every text that is a day is carried over.
import { schemaView } from '../../generator/emit/schema.js';
import { isSafe } from '../../runtime/store/schema-keeper.js';
import { connectTo } from '../../runtime/store/sqlite/driver.js';
import { pendingOf } from '../../runtime/store/sqlite/migrate/pending.js';
import { boardField } from '../evolution/pair.js';
import { BASE, edited, state } from '../evolution/pairs.js';
import { fill } from './fill.js';
import { migrate } from './schemas.js';

const FIELDS = {
  text: 'x: { kind: text, description: X. }',
  date: 'x: { kind: date, description: X. }',
  day: 'x: { kind: day, description: X. }',
};

function isCarried(from: keyof typeof FIELDS, to: keyof typeof FIELDS, value: string | number): boolean {
  const old = state(edited(BASE, boardField(FIELDS[from])), state(BASE, null).ledger);
  const next = state(edited(BASE, boardField(FIELDS[to])), old.ledger);
  const db = connectTo(':memory:');
  migrate(db, schemaView(old.model));
  fill(db, schemaView(old.model), 1);
  db.prepare('UPDATE board SET x = ?').run(value);
  const pending = pendingOf(db, schemaView(next.model));
  if (pending === null) throw new Error('the database is empty');
  const carried = isSafe(pending);
  db.close();
  return carried;
}

test.each([
  ['text', 'day', '2026-01-31', true],
  ['text', 'day', '2026-02-30', false],
  ['text', 'day', 'yesterday!', false],
  ['day', 'text', '2026-01-31', true],
  ['date', 'day', 1767323045678, false],
] as const)('%s to %s: %s', (from, to, value, carried) => expect(isCarried(from, to, value)).toBe(carried));
