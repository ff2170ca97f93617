// The notes about a removal: its announced dates and its counted uses.

import { notesOf, parseUses } from '../../generator/impact/notes.js';

const TODAY = '2026-06-01';
const uses = parseUses(`# HELP punchboard_deprecated_use_total Requests that used something deprecated.
punchboard_deprecated_use_total{resource="board",field="height"} 12
punchboard_deprecated_use_total{resource="board",field=""} 1
punchboard_deprecated_use_total{resource="card",field="back"} 0
punchboard_deprecated_use_total{field="size",resource="card",instance="b"} 1.5e3
punchboard_request_duration_seconds_count{resource="board"} 7
punchboard_deprecated_use_total{resource="board",field="height"} 3
`);

test('counters are read from the metrics', () => {
  expect([...uses]).toEqual([
    ['board height', 15],
    ['board ', 1],
    ['card back', 0],
    ['card size', 1500],
  ]);
});

const BEFORE = { deprecated: '2026-01-01', sunset: '2026-09-01' };
const AFTER = { deprecated: '2025-01-01', sunset: '2026-06-01' };

test.each([
  ['never announced', { resource: 'board', field: undefined, dates: null }, ['was never deprecated']],
  [
    'used, too early',
    { resource: 'board', field: 'height', dates: BEFORE },
    ['still used: 15 times', 'before its sunset, 2026-09-01'],
  ],
  ['used, on its day', { resource: 'board', field: 'height', dates: AFTER }, ['still used: 15 times']],
  ['unused, on its day', { resource: 'card', field: 'back', dates: AFTER }, []],
  ['the resource itself', { resource: 'board', field: null, dates: AFTER }, ['still used: 1 time']],
  ['never counted', { resource: 'board', field: undefined, dates: AFTER }, []],
  ['without a sunset', { resource: 'card', field: 'back', dates: { deprecated: '2026-01-01' } }, []],
])('notes: %s', (_, removal, notes) => expect(notesOf(removal, uses, TODAY)).toEqual(notes));

test('without metrics the uses are unknown', () => {
  expect(notesOf({ resource: 'board', field: 'height', dates: AFTER }, null, TODAY)).toEqual([]);
});
