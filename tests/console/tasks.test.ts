// The most frequent tasks of operators in a real browser: by keyboard alone, on a narrow screen, and by mouse. None takes more
// steps than the README of the pages states.

import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from '../files/samples.js';
import { makeWorld, type World } from '../service/world.js';
import { describeInBrowser, openBrowser, RULES_OF_STYLE, type TestBrowser } from '../support/browser.js';
import { count } from '../support/counts.js';
import { runSql } from '../support/database.js';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { INPUT_METHODS, type PageUser } from './page-user.js';
import { expectSound, NARROW, useScreen, WIDE } from './screens.js';

const CARDS = count(2_000, 50_000);
const IS_LONG = count(0, 1) === 1;
/** With `PUNCHBOARD_TIMES=5`, each task is performed five times by mouse, without axe, and its median time is printed. */
const ROUNDS = Number(process.env.PUNCHBOARD_TIMES ?? 0);

interface Stage {
  readonly browser: TestBrowser;
  readonly world: World;
  readonly receiver: HttpReceiver;
  readonly page: Page;
  readonly user: PageUser;
  /** Part of the names of the records of this round. */
  readonly key: string;
  readonly isNarrow: boolean;
  /** Axe finds nothing, and the page is not wider than the screen. */
  expectSound(): Promise<unknown>;
  /** Opens the page on which the task begins. */
  open(path: string): Promise<unknown>;
  /** The time of the task ends here; otherwise it ends with `perform`. */
  isDone(): void;
}

interface Task {
  readonly title: string;
  /** Other tasks use the same parts of pages; only the long form performs it on a narrow screen, too. */
  readonly isLikeOthers?: true;
  perform(stage: Stage): Promise<void>;
}

const TASKS: readonly Task[] = [
  {
    title: 'find a user by e-mail',
    async perform({ world, page, user, key, open, expectSound }) {
      const { id } = await world.service.user(`ada-${key}`);
      const parameters = { email: `ada-${key}@example.com`, session_id: world.admin.session };
      await world.send('PUT', `/api/user/${id}`, { parameters });
      await open('/console');
      await user.write(page.getByRole('searchbox', { name: 'Find' }), `ada-${key}@`);
      const match = page.locator('#found').getByRole('link', { name: `ada-${key}` });
      await match.waitFor();
      await expectSound();
      await user.press(match);
      await page.getByRole('heading', { name: `ada-${key}` }).waitFor();
    },
  },
  {
    title: 'disable a user',
    isLikeOthers: true,
    async perform({ world, page, user, key, open, expectSound, isDone }) {
      const { id } = await world.service.user(`bob-${key}`);
      await open(`/console/users/${id}`);
      await user.press(page.getByRole('button', { name: 'Disable' }));
      await page.getByRole('heading', { name: `Disable bob-${key}?` }).waitFor();
      await expectSound();
      await user.press(page.getByRole('button', { name: 'Disable' }));
      await page.getByText('Saved.').waitFor();
      isDone();
      const { status } = await world.send('POST', '/api/session', {
        parameters: { username: `bob-${key}`, password: PASSWORD },
      });
      expect(status).toBe(403);
    },
  },
  {
    title: 'create a box top with a picture from disk',
    async perform({ browser, world, page, user, key, isNarrow, open, expectSound }) {
      const disk = temporaryFolder('pictures');
      writeFileSync(join(disk, 'top.png'), PNG);
      for (const name of ['Seaside', 'Seaside 2']) await world.make('game', { name: `${name} ${key}` });
      await open('/console');
      if (isNarrow) await page.getByText('Menu', { exact: true }).click();
      await user.press(page.locator('summary').filter({ hasText: 'Games' }));
      await user.press(page.getByRole('navigation').getByRole('link', { name: 'Box tops', exact: true }));
      await user.press(page.getByRole('link', { name: 'New…' }));
      await user.write(page.getByLabel('Name required', { exact: true }), 'By hand');
      const game = page.getByLabel('Game: name or id');
      await user.write(game, 'seaside');
      await page.getByText('matches.').waitFor();
      await expectSound();
      await user.pick(game, page.locator('#f-game_id'), `Seaside 2 ${key}`);
      const file = page.getByLabel('Top: file from disk');
      if (isNarrow) {
        writeFileSync(join(disk, 'large.png'), PNG);
        truncateSync(join(disk, 'large.png'), 51 * 2 ** 20);
        await file.setInputFiles(join(disk, 'large.png'));
        await page.getByText('must not be larger').waitFor();
        expect(browser.errors().join()).toContain('413');
      }
      await user.file(file, join(disk, 'top.png'));
      const picture = page.locator('#w-f-top_id img');
      await picture.waitFor();
      const decoded = picture.evaluate(async (element) => {
        const image = element as unknown as { readonly naturalWidth: number; decode(): Promise<void> };
        await image.decode();
        return image.naturalWidth;
      });
      expect(await decoded).toBe(1);
      await user.press(page.getByRole('button', { name: 'Create' }));
      await page.getByText('Created.').waitFor();
      const { body } = await world.send('GET', `/api/boxtop/${page.url().replace(/.*\/|\?.*/g, '')}`, world.admin);
      expect(body).toMatchObject({ name: 'By hand', top: { name: 'top.png', image_width: 1 } });
    },
  },
  {
    title: 'change the deck of a card by name',
    isLikeOthers: true,
    async perform({ world, page, user, key, open }) {
      const from = await makeDeck(world, 'Old');
      const to = await makeDeck(world, `Deck ${key}`);
      const card = await makeCard(world, from, `Ace ${key}`);
      await open('/console');
      await user.write(page.getByRole('searchbox', { name: 'Find' }), `Ace ${key}`);
      await user.press(page.locator('#found').getByRole('link', { name: `Ace ${key}` }));
      await user.write(page.getByLabel('Deck: name or id'), `Deck ${key}`);
      // A single match is selected.
      await page.getByText('1 match.').waitFor();
      await user.press(page.getByRole('button', { name: 'Save' }));
      await page.getByText('Saved.').waitFor();
      expect((await world.send('GET', `/api/card/${card}`)).body).toMatchObject({ deck_id: to });
    },
  },
  {
    title: 'sort and export 50,000 cards',
    async perform({ page, user, isNarrow, open, expectSound }) {
      await open('/console/records/deck');
      // This step is not counted: there is no menu to open on a wide screen.
      if (isNarrow) await page.getByText('Menu', { exact: true }).click();
      await user.press(page.getByRole('navigation').getByRole('link', { name: 'Cards', exact: true }));
      await user.press(page.getByRole('columnheader').getByRole('link', { name: 'Card', exact: true }));
      await page.locator('th[aria-sort="ascending"]').waitFor();
      await page.locator('time[title$="UTC"]').first().waitFor();
      expect(await page.locator('time').first().textContent()).toMatch(/\((now|\d+ \w+ ago)\)$/);
      await expectSound();
      const download = page.waitForEvent('download');
      await user.press(page.getByRole('link', { name: 'Export as CSV' }));
      const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
      expect(lines.filter((line) => line.includes(',Many '))).toHaveLength(CARDS);
    },
  },
  {
    title: 'retry what failed for one hook since yesterday',
    async perform({ world, receiver, page, user, open, expectSound }) {
      const { delivery, posts } = await failedDelivery(world, receiver);
      receiver.answer = () => 200;
      await open('/console/webhooks');
      await user.press(page.getByRole('link', { name: receiver.address }));
      const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      await user.write(page.getByLabel('Since'), yesterday);
      await user.press(page.getByRole('button', { name: 'Retry all' }));
      await page.getByRole('heading', { name: 'again?' }).waitFor();
      await expectSound();
      await user.press(page.getByRole('button', { name: 'Retry all' }));
      await page.getByText('1 of 1 delivery tried again.').waitFor();
      await expectSound();
      expect(receiver.posts.slice(posts).map((post) => post.delivery)).toEqual([delivery]);
    },
  },
  {
    title: 'read why a delivery failed',
    isLikeOthers: true,
    async perform({ world, receiver, page, user, open, expectSound, isDone }) {
      const { delivery } = await failedDelivery(world, receiver);
      await open('/console/webhooks');
      await user.press(page.getByRole('link', { name: receiver.address }));
      await user.press(page.getByRole('row').filter({ hasText: 'failed, waiting' }).getByRole('link').first());
      await page.getByText('Out of <b>paper</b>').waitFor();
      isDone();
      expect(await page.locator('dl').textContent()).toContain(delivery);
      await expectSound();
      receiver.answer = () => 200;
      await page.getByRole('button', { name: 'Retry now' }).click();
      // The page follows the delivery.
      await page.locator('dl').getByText('delivered', { exact: true }).waitFor();
    },
  },
  {
    title: 'see who changed a record, and what',
    isLikeOthers: true,
    async perform({ world, page, user, key, open }) {
      const { id } = await world.make('boxtop', { name: `Changed ${key}` });
      const parameters = { quantity: 7, session_id: world.admin.session };
      await world.send('PUT', `/api/boxtop/${id}`, { parameters });
      await open(`/console/records/boxtop/${id}`);
      await page.getByLabel('Quantity').fill('9');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').waitFor();
      await open('/console/records/boxtop');
      await user.press(page.getByRole('link', { name: `Changed ${key}` }));
      await user.press(page.getByRole('link', { name: 'History' }));
      await page.getByText(`administrator changed the box top Changed ${key}`).first().waitFor();
      expect(await page.getByRole('table').textContent()).toContain('Quantity: 7 → 9');
    },
  },
];

/** Only the long form uses a mouse on a wide screen: the first two methods cover everything that it does. */
const TESTED_METHODS = ROUNDS > 0 ? INPUT_METHODS.slice(2) : INPUT_METHODS.slice(0, IS_LONG ? 3 : 2);

const README = readFileSync(join(ROOT, 'runtime', 'admin', 'console', 'README.md'), 'utf8');
/** The steps of each task in the table of the README. */
const STEPS = new Map(
  [...README.matchAll(/^\| ([^|]+) \| [^|]+ \| (?:at most )?(\d+) \|/gm)].map(
    ([, title = '', steps]) => [title, Number(steps)] as const,
  ),
);

test('every task of the README is performed', () => {
  expect([...STEPS.keys()]).toEqual(TASKS.map(({ title }) => title));
});

describeInBrowser('tasks of operators', () => {
  let browser: TestBrowser;
  let world: World;
  let receiver: HttpReceiver;
  let page: Page;
  beforeAll(async () => {
    [browser, world, receiver] = await Promise.all([
      openBrowser(),
      makeWorld('plain', { console: true }),
      startHttpReceiver(),
    ]);
    const hook = { event: 'ItemSold', owner_class: 'Designer', callback_uri: `${receiver.address}/sold` };
    await world.make('webhook', { ...hook, owner_id: await world.home('designer') });
    await fillCards(world);
    page = await browser.page();
    const cookie = { name: 'punchboard_console', value: world.admin.session, url: `${world.address}/console` };
    await page.context().addCookies([cookie]);
  });
  afterAll(() => Promise.all([browser.close(), world.stop(), receiver.close()]));

  describe.each(TESTED_METHODS)('$title', ({ title, screen, userOf }) => {
    const hasAll = IS_LONG || screen === WIDE;
    const tasks = TASKS.filter(({ isLikeOthers }) => hasAll || !isLikeOthers);
    beforeAll(() => useScreen(page, screen));

    test.each(tasks)('$title', async ({ title: task, perform }) => {
      const times: number[] = [];
      for (let round = 0; round < Math.max(1, ROUNDS); round += 1) {
        const user = userOf(page);
        const key = `${title.replaceAll(' ', '-')}${round === 0 ? '' : `-${round}`}`;
        let [began, ended] = [0, 0];
        const open = async (path: string) => {
          await page.goto(world.address + path);
          began = performance.now();
        };
        const isDone = () => {
          ended = performance.now();
        };
        const [isNarrow, isTimed] = [screen === NARROW, ROUNDS > 0];
        const rules = isNarrow ? RULES_OF_STYLE : undefined;
        const checks = { expectSound: async () => isTimed || expectSound(page, rules), open, isDone };
        await perform({ browser, world, receiver, page, user, key, isNarrow, ...checks });
        times.push((ended || performance.now()) - began);
        expect(user.steps()).toBeLessThanOrEqual(STEPS.get(task) ?? 0);
        expect(browser.errors()).toEqual([]);
        expect(browser.elsewhere()).toEqual([]);
      }
      const [median = 0] = times.sort((one, other) => one - other).slice(times.length >> 1);
      if (ROUNDS > 0) console.log(`${task}: ${(median / 1000).toFixed(1)} s`);
    });
  });
});

async function makeDeck({ send, owner, home }: World, name: string): Promise<string> {
  const parameters = { name, game_id: await home('game'), session_id: owner.session };
  return (await send('POST', '/api/deck', { parameters })).body.id;
}

async function makeCard({ send, owner }: World, deck_id: string, name: string): Promise<string> {
  return (await send('POST', '/api/card', { parameters: { name, deck_id, session_id: owner.session } })).body.id;
}

/** SQL creates the cards, because the API would take too long. */
async function fillCards(world: World): Promise<void> {
  const { service } = world;
  const id = await makeCard(world, await makeDeck(world, 'Full'), 'First');
  const columns =
    'date_created, date_updated, deck_id, quantity, has_proofed_face, has_proofed_back, back_from, class_number';
  const shard = service.service.engine.databaseServer === null ? ['', ''] : ['_shard, ', 'c._shard, '];
  await runSql(
    service.service,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CARDS})
     INSERT INTO card (${shard[0]}id, name, ${columns}) SELECT ${shard[1]}substr(c.id, 1, 2) || 'zz' || i, 'Many ' || i, ${columns} FROM card c, n WHERE c.id = ?`,
    id,
  );
}

/** A sale whose delivery the receiver refused. */
async function failedDelivery({ make, home, admin }: World, receiver: HttpReceiver) {
  const seen = receiver.posts.length;
  receiver.answer = () => 500;
  receiver.says = 'Out of <b>paper</b>';
  await make('receipt', { items: [{ game_id: await home('game') }] }, admin);
  const { delivery } = await receiver.until((all) => all.slice(seen).find(({ said }) => said.type === 'data'));
  return { delivery, posts: receiver.posts.length };
}
