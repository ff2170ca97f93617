// The operators' pages in a real browser, wide and narrow: an administrator finds out why a web hook fails and sends it again,
// and corrects a record. The pages load nothing from elsewhere, report no error, and axe finds nothing serious.

import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { makeWorld, type World } from '../service/world.js';
import { axeFindings, describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/paths.js';
import { PASSWORD } from '../support/service.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

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
    await sound(browser, page);
  });

  test.each([1280, 380])('a wrong value is refused at its field, and a right one saved: %s pixels', async (width) => {
    const { id } = await world.make('boxtop', { name: `Box ${width}` });
    const page = await logIn(browser, world, width);
    await page.getByRole('searchbox', { name: 'Find' }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Box ${width}` }).waitFor();
    await page.getByLabel('Quantity').fill('100');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Quantity');
    await page.getByRole('alert').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(`#${await field.getAttribute('aria-describedby')}`).textContent()).toBe(
      'quantity must be between 1 and 99.',
    );
    expect(await axeFindings(page)).toEqual([]);
    await field.fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    const { body } = await world.send('GET', `/api/boxtop/${id}`);
    expect(body).toMatchObject({ name: `Box ${width}`, quantity: 12 });
    await sound(browser, page);
  });

  test.each([1280, 375])('what operators do most takes few steps, by keyboard alone: %s pixels', async (width) => {
    const ada = await world.service.user(`ada-${width}`);
    const { session } = world.admin;
    const parameters = { email: `ada-${width}@example.com` };
    await world.send('PUT', `/api/user/${ada.id}`, { session, parameters: { ...parameters, session_id: session } });
    const box = await world.make('boxtop', { name: `Changed ${width}` });
    const page = await logIn(browser, world, width);
    // 1. Find a user by e-mail: type it, open the match.
    await tabTo(page, page.getByRole('searchbox', { name: 'Find' }));
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
    expect(await page.locator('time').first().getAttribute('title')).toMatch(/UTC$/);
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
      const page = await logIn(browser, world, width);
      const menu = page.getByRole('navigation').locator('ul').first().locator('a');
      const paths = await menu.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(paths.length).toBeGreaterThan(5);
      for (const path of [...paths, '/console/records/game', '/console/records/boxtop/new']) {
        await page.goto(world.address + path);
        expect([path, await axeFindings(page)]).toEqual([path, []]);
        const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        expect([path, wide]).toEqual([path, 0]);
      }
      await sound(browser, page);
    },
  );
});

/** Nothing was reported, and nothing asked for elsewhere. */
async function sound(browser: TestBrowser, page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  await page.close();
  expect(browser.errors()).toEqual([]);
  expect(browser.elsewhere()).toEqual([]);
}

/** By keyboard alone. */
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

/** By keyboard: what is closed around the link is opened on the way. */
async function press(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  const link = page.locator('a', { hasText: new RegExp(`^\\s*${name}\\s*$`) }).first();
  const closed = page.locator('nav details:not([open])', { has: link }).locator('> summary');
  while ((await closed.count()) > 0) {
    await tabTo(page, closed.first());
    await page.keyboard.press('Enter');
  }
  await tabTo(page, link);
  await page.keyboard.press('Enter');
}

/** Throws an Error if it cannot be reached. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < 200; tabs++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('The keyboard does not get there.');
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
