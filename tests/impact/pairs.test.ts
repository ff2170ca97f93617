// Every pair of the table: what an edit means for callers, receivers of web hooks and stored data, and the verdict of an
// independent tool, `redocly diff`, on the two API documents.

import { parseAcceptances } from '../../generator/impact/accepted.js';
import { impact } from '../../generator/impact/impact.js';
import type { Finding } from '../../generator/impact/report.js';
import { CHANGE_CLASSES } from '../../runtime/schema/plan.js';
import { inBoard, inGame } from '../evolution/pair.js';
import { PAIRS, type Pair, type States, states, type Verdict } from '../evolution/pairs.js';
import { count } from '../support/counts.js';
import { majorRules } from './redocly.js';

const NOTHING_KNOWN = { today: '2026-06-01', acceptances: parseAcceptances(null), uses: null, count: null };
const findings = ({ old, new: now }: States) => impact(old.model, now.model, NOTHING_KNOWN).findings;
const byName = (name: string): Pair => PAIRS.find((pair) => pair.name === name) ?? never(name);

function never(name: string): never {
  throw new Error(`no pair is called ${name}`);
}

function verdict(all: readonly Finding[], part: Finding['part']): Verdict {
  const ofPart = all.filter((finding) => finding.part === part);
  const classes = new Set(ofPart.map((finding) => finding.class));
  const worst = (['breaking', 'exposing'] as const).find((one) => classes.has(one));
  return worst ?? (ofPart.length > 0 ? 'safe' : 'none');
}

let redocly: Promise<readonly ReadonlySet<string>[]> = Promise.resolve([]);

/** Pairs with a known verdict of redocly. */
const NAMED = [
  'optional field removed',
  'value of an enum removed',
  'event removed',
  'list renamed',
  'optional text added',
];
/** The pairs that redocly compares: in the short form one of 18 and the named ones, in the long form all. */
const COMPARED = PAIRS.filter(({ name }, at) => at % count(18, 1) === 0 || NAMED.includes(name));

/** Runs in processes of its own beside the other tests; the tests at the end wait for it. */
beforeAll(() => {
  redocly = majorRules(COMPARED.map(states));
});

describe.each(PAIRS.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
  const all = findings(states(pair));

  test('verdicts for API and web hooks', () => {
    expect({ api: verdict(all, 'api'), hooks: verdict(all, 'webhooks') }).toEqual({
      api: pair.api,
      hooks: pair.hooks ?? 'none',
    });
  });

  test('classes of data changes', () => {
    const classes = all
      .filter(({ part, rule }) => part === 'data' && rule !== 'risk')
      .map((one) => one.class as string);
    expect(CHANGE_CLASSES.filter((one) => classes.includes(one))).toEqual(pair.data);
  });

  test('every finding has its own fingerprint', () => {
    const prints = all.map(({ fingerprint }) => fingerprint);
    expect(prints.filter((one, at) => prints.indexOf(one) !== at)).toEqual([]);
    for (const print of prints) expect(print).toMatch(/^[0-9a-f]{12}$/);
  });
});

test('N15: a right that some lose and others gain is breaking and exposing', () => {
  const edit: Pair = {
    name: 'the right to edit goes from the owner to those who may see the game',
    edit: inGame(['edit: [user]', 'edit: [shared]']),
    api: 'breaking',
    data: [],
  };
  const all = findings(states(edit)).filter(({ rule }) => rule === 'access_edit');
  expect(all.map((one) => one.class).sort()).toEqual(['breaking', 'exposing']);
  expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(2);
});

test('N32: a default that callers cannot distinguish from the previous one is not a finding', () => {
  const edit: Pair = {
    name: 'the kind of a number changes, and its default is written as that kind writes it',
    before: inBoard(['grade:', 'load: { kind: integer, default: 1, description: L. }\n  grade:']),
    edit: inBoard(['load: { kind: integer, default: 1', 'load: { kind: decimal, default: "1"']),
    api: 'breaking',
    data: [],
  };
  const rules = findings(states(edit)).map(({ rule }) => rule);
  expect(rules).toContain('parameter_limit');
  expect(rules).not.toContain('parameter_default');
});

/** Comparing equal specs takes longest, since no difference ends it early: one of 18 in the short form, all in the long form. */
test.each(PAIRS.filter((_, at) => at % count(18, 1) === 0).map((pair) => [pair.name, pair] as const))(
  'a spec does not differ from itself: %s',
  (_, pair) => {
    const { new: now } = states(pair);
    expect(findings({ old: now, new: now })).toEqual([]);
  },
);

/** Class, places and wording of every finding of a part. */
const lines = (name: string, part: Finding['part']) =>
  findings(states(byName(name)))
    .filter((finding) => finding.part === part)
    .map(({ class: kind, where, message }) => `${kind} ${where.join(', ')}: ${message}`);

test('an edit is reported operation by operation', () => {
  const answering =
    'POST /api/board, GET /api/board/{id}, GET /board/{id}, PUT /api/board/{id}, PATCH /api/board/{id}, GET /api/board, GET /api/game/{id}/boards, GET /api/game/{id}/expansions';
  expect(lines('maximum lowered', 'api')).toEqual([
    'breaking POST /api/board, PUT /api/board/{id}, PATCH /api/board/{id}: parameter height: max 500 -> 400',
    `safe ${answering}: property height: max 500 -> 400`,
  ]);
});

test('a rename reports the new name', () => {
  expect(lines('field renamed', 'api').map((line) => line.replace(/^.*?: /, ''))).toEqual([
    'can no longer be ordered by height',
    'parameter height is gone, now called tallness',
    'property height is gone, now called tallness',
    'can be ordered by tallness',
    'parameter tallness is new',
    'property tallness is new',
  ]);
});

test('a renamed choice that changes the order of lists is reported', () => {
  const where = 'GET /api/card, GET /api/game/{id}/cards, GET /api/game/{id}/minicards';
  const order = 'identity: order of its values MiniCard, PokerCard, FateCard -> FateCard, MiniCard, PokerCard';
  const reported = (name: string) => lines(name, 'api').filter((line) => line.includes('order of its values'));
  expect(reported('identity renamed, so that lists have it elsewhere')).toEqual([`breaking ${where}: ${order}`]);
  expect(reported('identity renamed, and its rows with it')).toEqual([]);
});

test('added and removed operations are reported', () => {
  expect(lines('list renamed', 'api')).toEqual([
    'breaking GET /api/game/{id}/expansions: is gone',
    'safe GET /api/game/{id}/extras: is new',
  ]);
  expect(lines('operation removed', 'api')).toEqual(['breaking DELETE /api/card/{id}: is gone']);
});

test('rights are described in words', () => {
  // The operations that require the right, and those that show the back of a card only to editors.
  const where =
    'PUT /api/card/{id}, PATCH /api/card/{id}, DELETE /api/card/{id}, POST /api/card, GET /api/card/{id}, GET /api/game/{id}/cards, GET /api/game/{id}/minicards';
  expect(lines('fewer may edit', 'api')).toEqual([
    `breaking ${where}: edit: anyone who may edit the game in game_id and administrators -> administrators`,
  ]);
});

test('a change of a right is reported where it has an effect', () => {
  const where = (name: string) => lines(name, 'api').map((line) => line.replace(/: edit: .*/, ''));
  expect(where('fewer may edit, a right that only an action needs')).toEqual(['breaking POST /api/sale/{id}/cancel']);
  expect(where('fewer may edit, and only editors may read')).toEqual([
    'breaking GET /api/sale/{id}, GET /api/user/{id}/sales',
  ]);
  const [through] = where('fewer may edit the parent of other records');
  // Boards are edited, and created in the game; games themselves are only created and fetched, so nothing changes for them.
  for (const key of ['POST /api/board', 'PUT /api/board/{id}', 'DELETE /api/card/{id}']) expect(through).toContain(key);
  expect(through).not.toContain('/api/game,');
});

test('a renamed reference stays the same reference', () => {
  const messages = lines('reference renamed, and gone with its target', 'api').map((line) =>
    line.replace(/^.*?: /, ''),
  );
  expect(messages).toContain(
    'enlarges_id: deleting its target deletes the record too, previously it empties the reference',
  );
  // The list still holds the same records.
  expect(messages.filter((line) => line.includes('holds records'))).toEqual([]);
});

test('a search is described by its texts', () => {
  const shown = (name: string) => lines(name, 'api').map((line) => line.replace(/^(\w+) GET \/api\/game: /, '$1: '));
  expect(shown('search added')).toEqual(['safe: can be searched by q in name']);
  expect(shown('search removed')).toEqual(['breaking: can no longer be searched by q']);
  expect(shown('search in one more text')).toEqual(['safe: q also looks in blurb']);
  expect(shown('search in one text fewer')).toEqual(['breaking: q no longer looks in blurb']);
  // The text has another name, but the same words find it.
  expect(shown('searched text renamed').filter((line) => / q /.test(line))).toEqual([]);
});

test('a row of the catalogue is compared key by key', () => {
  const row = (name: string) => `GET /api/products/${name}`;
  expect(lines('title, size and list of a row changed', 'api').filter((line) => line.includes('products'))).toEqual([
    `safe ${row('MiniCard')}: name "Mini Card" -> "Tiny Card"`,
    `safe ${row('MiniCard')}: size {"pixels":[600,825],"finished_inches":[1.75,2.5]} -> {"pixels":[675,900],"finished_inches":[2,2.75]}`,
    `safe ${row('TarotCard')}: relationship "cards" -> "tarots"`,
  ]);
  const cards = ['MiniCard', 'PokerCard', 'TarotCard'];
  expect(lines('default of an attribute changed', 'api')).toEqual(
    cards.map((name) => `safe ${row(name)}: active true -> false`),
  );
  expect(lines('values of attributes changed', 'api')).toEqual(
    cards.map((name) => `safe ${row(name)}: groups [] -> ["Cards"]`),
  );
});

test('changed payloads are reported', () => {
  expect(lines('payload wider', 'webhooks')).toEqual(['breaking GamePraised: payload stars: max 5 -> 10']);
  expect(lines('record of an event gains a field', 'webhooks')).toEqual(['safe SaleShipped: property note is new']);
});

describe('redocly', () => {
  let rules: readonly ReadonlySet<string>[] = [];
  beforeAll(async () => {
    rules = await redocly;
  });

  /** The verdict of the table for callers and receivers together, since the documents contain both. */
  const breaks = ({ api, hooks }: Pair) => api === 'breaking' || hooks === 'breaking';
  const agrees = (pair: Pair, at: number) => (rules[at]?.size ?? 0) > 0 === breaks(pair);

  test('every difference is explained', () => {
    const silent = COMPARED.filter((pair, at) => !agrees(pair, at) && pair.differs === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('no explanation is superfluous', () => {
    const needless = COMPARED.filter((pair, at) => agrees(pair, at) && pair.differs !== undefined);
    expect(needless.map(({ name }) => name)).toEqual([]);
  });

  test('redocly reports breaking edits (null control)', () => {
    const named = (name: string) => [...(rules[COMPARED.indexOf(byName(name))] ?? [])].sort();
    expect(named('optional field removed')).toContain('property-removed');
    expect(named('value of an enum removed')).toEqual(['enum-values-removed']);
    expect(named('event removed')).toEqual(['path-removed']);
    expect(named('list renamed')).toContain('path-removed');
    expect(named('optional text added')).toEqual([]);
  });
});
