// The operators' pages in a real browser, wide and narrow: an administrator finds out why a web hook fails and sends it again,
// and corrects a record. The pages load nothing from elsewhere, report no error, and axe finds nothing serious. In short, what was
// seen on a wide screen is not all seen on a narrow one, too.

import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from '../files/samples.js';
import { makeWorld, type World } from '../service/world.js';
import { axeFindings, describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { count } from '../support/counts.js';
import { temporaryFolder } from '../support/paths.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';
import { HANDS, reach } from './hand.js';

const IS_LONG = count(0, 1) === 1;
/** Of tasks that are done on a narrow screen elsewhere, too. */
const WIDTHS = IS_LONG ? [1280, 375] : [1280];

describeInBrowser("the operators' pages", () => {
  let browser: TestBrowser;
  let world: World;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    [browser, world, receiver] = await Promise.all([
      openBrowser(),
      makeWorld('plain', { console: true, backups: { folder: temporaryFolder('backups'), program: [] } }),
      startHttpReceiver(),
    ]);
    await subscribe(world, `${receiver.address}/sold`);
  });
  afterAll(() => Promise.all([browser.close(), world.stop(), receiver.close()]));

  test.each([1280, 380])('a failed delivery is found, understood and sent again: %s pixels', async (width) => {
    const { delivery, posts } = await failedDelivery(world, receiver);
    const page = await logIn(browser, world, width);
    await open(page, 'Web hooks');
    await page.getByLabel('State').selectOption('retrying');
    await page.getByRole('link', { name: receiver.address }).click();
    await page.getByLabel('State of the delivery').selectOption('waiting');
    await page.getByRole('row').filter({ hasText: 'failed, waiting' }).getByRole('link').first().click();
    await page.getByText('Out of <b>paper</b>').waitFor();
    expect(await page.locator('dl').textContent()).toContain(delivery);
    expect(await axeFindings(page)).toEqual([]);
    receiver.answer = () => 200;
    await page.getByRole('button', { name: 'Retry now' }).click();
    // The page follows what happens to it.
    await page.locator('dl').getByText('delivered', { exact: true }).waitFor();
    expect(receiver.posts.slice(posts).map((post) => post.delivery)).toEqual([delivery]);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await sound(browser, page);
  });

  test.each(WIDTHS)('a wrong value is refused at its field, and a right one saved: %s pixels', async (width) => {
    const { id } = await world.make('boxtop', { name: `Box ${width}` });
    const page = await loggedIn(browser, world, width);
    await page.getByRole('searchbox', { name: 'Find' }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Box ${width}` }).waitFor();
    await page.getByLabel('Quantity').fill('100');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Quantity');
    await page.getByRole('alert').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const [said] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(await page.locator(`#${said}`).textContent()).toBe('Quantity must be between 1 and 99.');
    expect(await axeFindings(page)).toEqual([]);
    await field.fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    const { body } = await world.send('GET', `/api/boxtop/${id}`);
    expect(body).toMatchObject({ name: `Box ${width}`, quantity: 12 });
    await sound(browser, page);
  });

  test.each(HANDS)('a box top is created with a picture from disk in 8 steps $title', async (who) => {
    const disk = temporaryFolder('pictures');
    writeFileSync(join(disk, 'top.png'), PNG);
    writeFileSync(join(disk, 'large.png'), PNG);
    truncateSync(join(disk, 'large.png'), 51 * 2 ** 20);
    for (const name of ['Seaside', 'Seaside 2']) await world.make('game', { name: `${name} ${who.width}` });
    const page = await loggedIn(browser, world, who.width);
    await page.emulateMedia({ colorScheme: who.scheme });
    const hand = who.handOf(page);
    const isNarrow = who.width < 900;
    if (isNarrow) await hand.press(page.getByText('Menu', { exact: true }));
    await hand.press(page.locator('summary').filter({ hasText: 'Games' }));
    await hand.press(page.getByRole('navigation').getByRole('link', { name: 'Box tops', exact: true }));
    await hand.press(page.getByRole('link', { name: 'New…' }));
    await hand.write(page.getByLabel('Name required', { exact: true }), 'By hand');
    const game = page.getByLabel('Game: name or id');
    await hand.write(game, isNarrow ? `Seaside 2 ${who.width}` : 'seaside');
    await page.getByText(isNarrow ? '1 match.' : 'matches.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // A single match is selected.
    if (!isNarrow) await hand.pick(game, page.locator('#f-game_id'), `Seaside 2 ${who.width}`);
    const disks = page.getByLabel('Top: file from disk');
    if (who.title === 'by mouse') {
      await disks.setInputFiles(join(disk, 'large.png'));
      await page.getByText('must not be larger').waitFor();
      expect(browser.errors().join()).toContain('413');
    }
    await hand.file(disks, join(disk, 'top.png'));
    const shown = page.locator('#w-f-top_id img');
    await shown.waitFor();
    expect(await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
    await hand.press(page.getByRole('button', { name: 'Create' }));
    await page.getByText('Created.').waitFor();
    expect(hand.steps()).toBeLessThanOrEqual(8);
    const { body } = await world.send('GET', `/api/boxtop/${page.url().replace(/.*\/|\?.*/g, '')}`, world.admin);
    expect(body).toMatchObject({ name: 'By hand', top: { name: 'top.png', image_width: 1 } });
    await sound(browser, page);
  });

  test.each(HANDS.slice(0, count(2, 3)))('the deck of a card is changed by name in 3 steps $title', async (who) => {
    const name = `Deck ${who.title}`;
    const game_id = await world.home('game');
    const make = async (type: string, sent: object) => {
      const parameters = { ...sent, session_id: world.owner.session };
      return (await world.send('POST', `/api/${type}`, { parameters })).body.id as string;
    };
    const [from, to] = [await make('deck', { game_id, name: 'Old' }), await make('deck', { game_id, name })];
    const card = await make('card', { deck_id: from, name: `Ace ${who.title}` });
    const page = await loggedIn(browser, world, who.width);
    await page.emulateMedia({ colorScheme: who.scheme });
    const hand = who.handOf(page);
    await page.goto(`${world.address}/console/records/card`);
    await hand.press(page.getByRole('link', { name: `Ace ${who.title}` }));
    await hand.write(page.getByLabel('Deck: name or id'), name);
    await page.getByText('1 match.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await hand.press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.').waitFor();
    expect(hand.steps()).toBeLessThanOrEqual(3);
    expect((await world.send('GET', `/api/card/${card}`)).body).toMatchObject({ deck_id: to });
    await sound(browser, page);
  });

  test.each(WIDTHS)('what operators do most takes few steps, by keyboard alone: %s pixels', async (width) => {
    const ada = await world.service.user(`ada-${width}`);
    const { session } = world.admin;
    const parameters = { email: `ada-${width}@example.com` };
    await world.send('PUT', `/api/user/${ada.id}`, { session, parameters: { ...parameters, session_id: session } });
    const box = await world.make('boxtop', { name: `Changed ${width}` });
    const page = await loggedIn(browser, world, width);
    // 1. Find a user by e-mail: type it, open the match.
    await reach(page, page.getByRole('searchbox', { name: 'Find' }));
    await page.keyboard.type(`ada-${width}@`);
    await page
      .locator('#found')
      .getByRole('link', { name: `ada-${width}` })
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `ada-${width}` }).waitFor();
    // 2. Sort and export: open the list, sort it, export it.
    await press(page, 'Box tops');
    await press(page, 'Box top');
    await page.locator('th[aria-sort="ascending"]').waitFor();
    await page.locator('time[title$="UTC"]').first().waitFor();
    expect(await page.locator('time').first().textContent()).toMatch(/\((now|\d+ \w+ ago)\)$/);
    expect(await axeFindings(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await press(page, 'Export as CSV');
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(`Changed ${width}`);
    // 3. See who changed a record, and what: open it, open its history.
    await world.send('PUT', `/api/boxtop/${box.id}`, { session, parameters: { quantity: 7, session_id: session } });
    await press(page, `Changed ${width}`);
    await page.getByLabel('Quantity').fill('9');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    await press(page, 'History');
    await page.getByText(`administrator changed the box top Changed ${width}`).waitFor();
    expect(await page.getByRole('table').textContent()).toContain('Quantity: 7 → 9');
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    expect(wide).toBe(0);
    await sound(browser, page);
  });

  test.each([1280, 380])(
    'every page of the menu is sound, and none is wider than the screen: %s pixels',
    async (width) => {
      const page = await loggedIn(browser, world, width);
      const menu = page.getByRole('navigation').locator('ul').first().locator('a');
      const paths = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(paths.length).toBeGreaterThan(5);
      await world.service.upkeep.runOnce(Date.now() + 61_000);
      await page.reload();
      await page.locator('.u-over').last().hover();
      await page
        .getByText(/^\d+ MiB$/)
        .nth(1)
        .waitFor();
      for (const path of [...paths, '/console/records/game', '/console/records/boxtop/new']) {
        await page.goto(world.address + path);
        // The menu is that of the page before.
        const part = IS_LONG || path === paths[0] ? 'html' : 'main';
        if (IS_LONG || width > 1000) expect([path, await axeFindings(page, part)]).toEqual([path, []]);
        const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        expect([path, wide]).toEqual([path, 0]);
      }
      await sound(browser, page);
    },
  );
});

/** Nothing was reported, and nothing asked for elsewhere. */
async function sound(browser: TestBrowser, page: Page): Promise<void> {
  await page.close();
  expect(browser.errors()).toEqual([]);
  expect(browser.elsewhere()).toEqual([]);
}

/** Logs in by keyboard alone. */
async function logIn(browser: TestBrowser, { address }: World, width: number): Promise<Page> {
  const page = await browser.page(width);
  await page.goto(`${address}/console`);
  await page.keyboard.type('administrator');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return page;
}

/** The same page with a session that is open already. */
async function loggedIn(browser: TestBrowser, { address, admin }: World, width: number): Promise<Page> {
  const page = await browser.page(width);
  const cookie = { name: 'punchboard_console', value: String(admin.session), url: `${address}/console` };
  await page.context().addCookies([cookie]);
  await page.goto(`${address}/console`);
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return page;
}

/** Follows a link by keyboard, and opens the closed groups around it on the way. */
async function press(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  const link = page.locator('a', { hasText: new RegExp(`^\\s*${name}\\s*$`) }).first();
  const closed = page.locator('nav details:not([open])', { has: link }).locator('> summary');
  while ((await closed.count()) > 0) {
    await reach(page, closed.first());
    await page.keyboard.press('Enter');
  }
  await reach(page, link);
  await page.keyboard.press('Enter');
}

/** On a narrow screen the page's script closes the menu. */
async function open(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
  if (!(await link.isVisible())) await page.getByText('Menu', { exact: true }).click();
  await link.click();
}

async function subscribe(world: World, callback: string): Promise<void> {
  const designer = await world.home('designer');
  await world.make('webhook', {
    event: 'ItemSold',
    owner_class: 'Designer',
    owner_id: designer,
    callback_uri: callback,
  });
}

/** A sale that the receiver was told of, and did not take. */
async function failedDelivery({ make, home, admin }: World, receiver: HttpReceiver) {
  const seen = receiver.posts.length;
  receiver.answer = () => 500;
  receiver.says = 'Out of <b>paper</b>';
  await make('receipt', { items: [{ game_id: await home('game') }] }, admin);
  const { delivery } = await receiver.until((all) => all.slice(seen).find(({ said }) => said.type === 'data'));
  return { delivery, posts: receiver.posts.length };
}
