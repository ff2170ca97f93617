// The fingerprint of a finding does not depend on its surroundings or wording, but on its values.

import { createHash } from 'node:crypto';
import { parseAcceptances } from '../../generator/impact/accepted.js';
import { impact } from '../../generator/impact/impact.js';
import type { Finding } from '../../generator/impact/report.js';
import { BASE, type Edit, edited, state, type Texts } from '../evolution/pairs.js';

const HEIGHT = '  height: { kind: integer, min: 0, max: 500, description: Height in millimetres. }\n';
const FINISH = '  finish: { kind: enum, values: [matt, gloss], default: matt, filter: true, description: Surface. }\n';
const LOWER: Edit = { 'resources/board.yaml': [['min: 0, max: 500', 'min: 0, max: 400']] };
const SILK: Edit = { 'resources/board.yaml': [['[matt, gloss]', '[matt, gloss, silk]']] };

function findings(texts: Texts, edit: Edit): readonly Finding[] {
  const old = state(texts, null);
  const now = state(edited(texts, edit), old.ledger);
  return impact(old.model, now.model, {
    today: '2026-06-01',
    acceptances: parseAcceptances(null),
    uses: null,
    count: null,
  }).findings;
}

const prints = (all: readonly Finding[]) => all.map(({ fingerprint }) => fingerprint).sort();

test('a fingerprint is the hash of rule, place and values', () => {
  const text = '["api","parameter_limit","board height",["","maximum",500],400]';
  const byHand = createHash('sha256').update(text).digest('hex').slice(0, 12);
  expect(findings(BASE, LOWER).find(({ rule }) => rule === 'parameter_limit')?.fingerprint).toBe(byHand);
});

test('a fingerprint stays the same with fields in another order', () => {
  const moved = edited(BASE, {
    'resources/board.yaml': [
      [HEIGHT, ''],
      [FINISH, FINISH + HEIGHT],
    ],
  });
  expect(prints(findings(moved, LOWER))).toEqual(prints(findings(BASE, LOWER)));
});

test('a fingerprint stays the same with files in another order', () => {
  const reversed = Object.fromEntries(Object.entries(BASE).reverse());
  expect(prints(findings(reversed, LOWER))).toEqual(prints(findings(BASE, LOWER)));
});

test('a fingerprint stays the same when other edits are added', () => {
  const both = findings(BASE, {
    'resources/board.yaml': [...(LOWER['resources/board.yaml'] as []), ...(SILK['resources/board.yaml'] as [])],
  });
  expect(prints(both)).toEqual(expect.arrayContaining(prints(findings(BASE, LOWER))));
});

test('a fingerprint stays the same with other wording and a further path', () => {
  const worded = edited(BASE, {
    'resources/board.yaml': [
      ['Height in millimetres.', 'How high it is.'],
      ['title: Board', 'title: Playing board'],
      ['paths: { fetch: /board }', 'paths: { all: /board }'],
    ],
  });
  expect(prints(findings(worded, LOWER))).toEqual(prints(findings(BASE, LOWER)));
});

test('a fingerprint differs for another value', () => {
  const further: Edit = { 'resources/board.yaml': [['min: 0, max: 500', 'min: 0, max: 300']] };
  const shared = prints(findings(BASE, further)).filter((one) => prints(findings(BASE, LOWER)).includes(one));
  expect(shared).toEqual([]);
});

test('a fingerprint contains the values of a condition, and no wording', () => {
  const edit: Edit = { 'resources/card.yaml': [['where: { identity: MiniCard }', 'where: { identity: TarotCard }']] };
  const list = (identity: string) =>
    `{"by":"game_id","name":"minicards","parent":"game","where":{"identity":"${identity}"}}`;
  const text = `["api","list_records","card GET /api/game/{id}/minicards",${list('MiniCard')},${list('TarotCard')}]`;
  const byHand = createHash('sha256').update(text).digest('hex').slice(0, 12);
  expect(prints(findings(BASE, edit))).toEqual([byHand]);
});
