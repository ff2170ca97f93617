// Chooses the connection for the next piece of work, as a pure function of what each connection has under way.

import { chooseConnection, createStatementClassifier, STALL, USES } from '../../../runtime/store/postgres/dispatch.js';

const NOW = 1000;
type Use = keyof typeof USES;

/** Connections by what they have under way; `!` marks one that waits for an answer. */
const connectionsOf = (all: readonly string[]) =>
  all.map((text) => {
    const tables = text.replace('!', '').split(' ');
    const jobs = tables.flatMap((table) => (table === '' ? [] : [{ table }]));
    return { jobs, since: text.startsWith('!') ? NOW - STALL - 1 : NOW } as unknown as Parameters<
      typeof chooseConnection
    >[0][0];
  });
const choose = (
  use: Use,
  table: string,
  connections: readonly string[],
  more: { seen?: boolean; yields?: boolean } = {},
) => {
  const all = connectionsOf(connections);
  const answered = new Map(more.seen ? [[table, NOW]] : []);
  const connection = chooseConnection(all, USES[use], { table, now: NOW, answered, yields: more.yields ?? false });
  return connection === null ? null : all.indexOf(connection);
};

const DEEP = Array.from({ length: USES.read.most }, () => 'a').join(' ');
type Case = readonly [string, number | null, Use, string, readonly string[], Parameters<typeof choose>[3]?];
const CASES: readonly Case[] = [
  ['what is at work already is used first', 0, 'read', 'a', ['a a a', '', '', '']],
  ['beyond its depth the next one is used', 1, 'read', 'a', ['a a a a', '', '', '']],
  ['reads of several tables share one', 0, 'read', 'b', ['a a', '', '', '']],
  ['a table has at most as many as it leaves to others', 0, 'read', 'a', ['a a a a', 'a a a a', '', '']],
  ['and then waits', null, 'read', 'a', [DEEP, DEEP, '', '']],
  ['what is about no table may have all', 2, 'read', '', ['a a a a', 'a a a a', '', '']],
  ['N23: nothing goes behind one that waits', 1, 'read', 'b', ['!a', '', '', '']],
  ['N23: not even of the same table', null, 'read', 'a', ['!a', '!a', '', '']],
  ['N23: a table that nothing was heard of may try one', 1, 'read', 'b', ['!a', '', '', '']],
  ['N23: but not the last', null, 'read', 'b', ['!a', '!a', '!c', '']],
  ['N23: which is for what gets through', 3, 'read', 'b', ['!a', '!a', '!c', ''], { seen: true }],
  ['N23: what is behind one that waits is free to go elsewhere', 1, 'read', 'b', ['!a b', '', '', ''], { seen: true }],
  ['a write goes behind its own table alone', 1, 'write', 'b', ['a', 'b', '', '']],
  ['a write of another table takes one of its own', 2, 'write', 'c', ['a', 'b', '', '']],
  ['or waits', null, 'write', 'c', ['a', 'b', 'a', 'b']],
  ['where others wait long, none goes behind its own', null, 'write', 'b', ['a', 'b', 'a', 'b'], { yields: true }],
  ['a transaction has a connection of its own', 2, 'transaction', 'a', ['a', 'b', '', '']],
  ['one table never has all', null, 'transaction', 'a', ['a', 'a', 'a', '']],
];
test.each(CASES.map((each) => [each[0], each] as const))('%s', (_, [, expected, use, table, connections, more]) => {
  expect(choose(use, table, connections, more)).toBe(expected);
});

test.each([
  ['SELECT 1', '', true],
  ['SELECT (SELECT count(*) FROM file) FROM "game" t WHERE t.id = $1', 'game', true],
  ['SELECT h.id FROM unnest($1::text[]) AS h (id) WHERE EXISTS (SELECT 1 FROM webhook)', 'webhook', true],
  ['SELECT id FROM game WHERE id = $1 FOR UPDATE', 'game', false],
  ['SELECT d.id FROM deck d JOIN game g ON true FOR KEY SHARE OF g', 'deck', false],
  ['INSERT INTO "deck" (id) VALUES ($1)', 'deck', false],
  ['WITH moved AS (UPDATE file SET name = $1 RETURNING id) SELECT id FROM moved', 'file', false],
])('the table of a statement, and whether it only reads: %s', (text, table, isRead) => {
  expect(createStatementClassifier()({ text })).toEqual({ table, isRead });
});
