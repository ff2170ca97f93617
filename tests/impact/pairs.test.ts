// Every pair of the table: what an edit means for callers, receivers of web hooks and stored data; and what an
// independent judge, `redocly diff`, says of the two API documents.

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
  const own = all.filter((finding) => finding.part === part);
  const classes = new Set(own.map((finding) => finding.class));
  const worst = (['breaking', 'exposing'] as const).find((one) => classes.has(one));
  return worst ?? (own.length > 0 ? 'safe' : 'none');
}

let redocly: Promise<readonly ReadonlySet<string>[]> = Promise.resolve([]);

/** Pairs of which the judge is known to say something in particular. */
const NAMED = [
  'optional field removed',
  'value of an enum removed',
  'event removed',
  'list renamed',
  'optional text added',
];
/** Those that redocly judges: one of 18 and the named ones in short, all in long. */
const JUDGED = PAIRS.filter(({ name }, at) => at % count(18, 1) === 0 || NAMED.includes(name));

/** In processes of its own, while the other tests run; those at the end wait for it. */
beforeAll(() => {
  redocly = majorRules(JUDGED.map(states));
});

describe.each(PAIRS.map((pair) => [pair.name, pair] as const))('%s', (_, pair) => {
  const all = findings(states(pair));

  test('API and web hooks', () => {
    expect({ api: verdict(all, 'api'), hooks: verdict(all, 'webhooks') }).toEqual({
      api: pair.api,
      hooks: pair.hooks ?? 'none',
    });
  });

  test('Data', () => {
    const classes = all
      .filter(({ part, rule }) => part === 'data' && rule !== 'risk')
      .map((one) => one.class as string);
    expect(CHANGE_CLASSES.filter((one) => classes.includes(one))).toEqual(pair.data);
  });

  test('every finding has a fingerprint of its own', () => {
    const prints = all.map(({ fingerprint }) => fingerprint);
    expect(prints.filter((one, at) => prints.indexOf(one) !== at)).toEqual([]);
    for (const one of prints) expect(one).toMatch(/^[0-9a-f]{12}$/);
  });
});

test('N15: a right that some lose and others get is breaking for the ones and exposing to the others', () => {
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

test('N32: a default that callers cannot tell from the one before is not a finding', () => {
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

/** Comparing what is equal takes longest, as nothing ends it early: one of 18 in short, all in long. */
test.each(PAIRS.filter((_, at) => at % count(18, 1) === 0).map((pair) => [pair.name, pair] as const))(
  'a spec does not differ from itself: %s',
  (_, pair) => {
    const { new: now } = states(pair);
    expect(findings({ old: now, new: now })).toEqual([]);
  },
);

/** Part, class, first places and words of every finding, as a person wrote them down. */
const lines = (name: string, part: Finding['part']) =>
  findings(states(byName(name)))
    .filter((finding) => finding.part === part)
    .map(({ class: kind, where, message }) => `${kind} ${where.join(', ')}: ${message}`);

test('an edit is told operation by operation', () => {
  const answering =
    'POST /api/board, GET /api/board/{id}, GET /board/{id}, PUT /api/board/{id}, PATCH /api/board/{id}, GET /api/board, GET /api/game/{id}/boards, GET /api/game/{id}/expansions';
  expect(lines('greatest value lowered', 'api')).toEqual([
    'breaking POST /api/board, PUT /api/board/{id}, PATCH /api/board/{id}: parameter height: max 500 -> 400',
    `safe ${answering}: property height: max 500 -> 400`,
  ]);
});

test('a rename says the new name', () => {
  expect(lines('field renamed', 'api').map((line) => line.replace(/^.*?: /, ''))).toEqual([
    'can no longer be ordered by height',
    'parameter height is gone, now called tallness',
    'property height is gone, now called tallness',
    'can be ordered by tallness',
    'parameter tallness is new',
    'property tallness is new',
  ]);
});

test('operations that come and go', () => {
  expect(lines('list renamed', 'api')).toEqual([
    'breaking GET /api/game/{id}/expansions: is gone',
    'safe GET /api/game/{id}/extras: is new',
  ]);
  expect(lines('operation removed', 'api')).toEqual(['breaking DELETE /api/card/{id}: is gone']);
});

test('rights are told in words', () => {
  // Behind what asks for the right: what shows the back of a card to its editors.
  const where =
    'PUT /api/card/{id}, PATCH /api/card/{id}, DELETE /api/card/{id}, POST /api/card, GET /api/card/{id}, GET /api/game/{id}/cards, GET /api/game/{id}/minicards';
  expect(lines('fewer may edit', 'api')).toEqual([
    `breaking ${where}: edit: anyone who may edit the game in game_id and administrators -> administrators`,
  ]);
});

test('a right is told where it leads', () => {
  const where = (name: string) => lines(name, 'api').map((line) => line.replace(/: edit: .*/, ''));
  expect(where('fewer may edit, which an action alone asks for')).toEqual(['breaking POST /api/sale/{id}/cancel']);
  expect(where('fewer may edit, which a right to read leans on')).toEqual([
    'breaking GET /api/sale/{id}, GET /api/user/{id}/sales',
  ]);
  const [through] = where('fewer may edit what others are edited through');
  // To edit one, to create one in the game; nothing of games themselves, which are only created and fetched.
  for (const key of ['POST /api/board', 'PUT /api/board/{id}', 'DELETE /api/card/{id}']) expect(through).toContain(key);
  expect(through).not.toContain('/api/game,');
});

test('a reference that is renamed is the same reference', () => {
  const messages = lines('reference renamed, and gone with its target', 'api').map((line) =>
    line.replace(/^.*?: /, ''),
  );
  expect(messages).toContain(
    'enlarges_id: deleting its target deletes the record too, previously it empties the reference',
  );
  // The list holds the records that it held.
  expect(messages.filter((line) => line.includes('holds records'))).toEqual([]);
});

test('a search is told by its texts', () => {
  const said = (name: string) => lines(name, 'api').map((line) => line.replace(/^(\w+) GET \/api\/game: /, '$1: '));
  expect(said('search added')).toEqual(['safe: can be searched by q in name']);
  expect(said('search removed')).toEqual(['breaking: can no longer be searched by q']);
  expect(said('search of one text more')).toEqual(['safe: q also looks in blurb']);
  expect(said('search of one text less')).toEqual(['breaking: q no longer looks in blurb']);
  // The text has another name, and is found by the same words.
  expect(said('searched text renamed').filter((line) => / q /.test(line))).toEqual([]);
});

test('a row of the catalogue that stays is compared key by key', () => {
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

test('Payloads', () => {
  expect(lines('payload wider', 'webhooks')).toEqual(['breaking GamePraised: payload stars: max 5 -> 10']);
  expect(lines('record of an event gains a field', 'webhooks')).toEqual(['safe SaleShipped: property note is new']);
});

describe('redocly', () => {
  let rules: readonly ReadonlySet<string>[] = [];
  beforeAll(async () => {
    rules = await redocly;
  });

  /** What the table says of callers and receivers together: the documents hold both. */
  const breaks = ({ api, hooks }: Pair) => api === 'breaking' || hooks === 'breaking';
  const agrees = (pair: Pair, at: number) => (rules[at]?.size ?? 0) > 0 === breaks(pair);

  test('every difference is explained', () => {
    const silent = JUDGED.filter((pair, at) => !agrees(pair, at) && pair.differs === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test('no explanation is needless', () => {
    const needless = JUDGED.filter((pair, at) => agrees(pair, at) && pair.differs !== undefined);
    expect(needless.map(({ name }) => name)).toEqual([]);
  });

  test('the judge judges', () => {
    const named = (name: string) => [...(rules[JUDGED.indexOf(byName(name))] ?? [])].sort();
    expect(named('optional field removed')).toContain('property-removed');
    expect(named('value of an enum removed')).toEqual(['enum-values-removed']);
    expect(named('event removed')).toEqual(['path-removed']);
    expect(named('list renamed')).toContain('path-removed');
    expect(named('optional text added')).toEqual([]);
  });

  test('whatever does not say why it differs agrees', () => {
    expect(JUDGED.filter(agrees)).toHaveLength(JUDGED.filter(({ differs }) => differs === undefined).length);
  });
});
