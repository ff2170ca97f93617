// The choice of the connection for the next piece of work, a pure function of what each connection has under way.

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
  ['a connection that is already busy is used first', 0, 'read', 'a', ['a a a', '', '', '']],
  ['beyond its depth the next connection is used', 1, 'read', 'a', ['a a a a', '', '', '']],
  ['reads of several tables share a connection', 0, 'read', 'b', ['a a', '', '', '']],
  ['a table gets at most half of the connections', 0, 'read', 'a', ['a a a a', 'a a a a', '', '']],
  ['a read waits if that half is full', null, 'read', 'a', [DEEP, DEEP, '', '']],
  ['work about no table may use all connections', 2, 'read', '', ['a a a a', 'a a a a', '', '']],
  ['N23: nothing is queued behind a stalled connection', 1, 'read', 'b', ['!a', '', '', '']],
  ['N23: work about the same table is not queued behind it, either', null, 'read', 'a', ['!a', '!a', '', '']],
  ['N23: a table without an answer may try one connection', 1, 'read', 'b', ['!a', '', '', '']],
  ['N23: a table without an answer may not try the last free connection', null, 'read', 'b', ['!a', '!a', '!c', '']],
  ['N23: tables with answers may use the last one', 3, 'read', 'b', ['!a', '!a', '!c', ''], { seen: true }],
  ['N23: a table behind a stalled one may go elsewhere', 1, 'read', 'b', ['!a b', '', '', ''], { seen: true }],
  ['a write is queued only behind its own table', 1, 'write', 'b', ['a', 'b', '', '']],
  ['a write about another table takes a free connection', 2, 'write', 'c', ['a', 'b', '', '']],
  ['a write waits if no connection is free', null, 'write', 'c', ['a', 'b', 'a', 'b']],
  ['while others wait long, nothing is queued', null, 'write', 'b', ['a', 'b', 'a', 'b'], { yields: true }],
  ['a transaction gets its own connection', 2, 'transaction', 'a', ['a', 'b', '', '']],
  ['one table never gets all connections', null, 'transaction', 'a', ['a', 'a', 'a', '']],
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
  expect(createStatementClassifier()(text)).toEqual({ table, isRead });
});
