// The operators' pages in a real browser, wide and narrow, light and dark: forms show their mistakes at the fields, axe finds
// nothing on any page, and the pages load nothing from elsewhere and report no error.

import type { Page } from 'playwright-core';
import { makeWorld, type World } from '../service/world.js';
import { describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/paths.js';
import { logIn } from './page-user.js';
import { expectSoundInColors, expectSoundOnScreens, NARROW, useScreen } from './screens.js';

describeInBrowser("the operators' pages", () => {
  let browser: TestBrowser;
  let world: World;
  let page: Page;
  beforeAll(async () => {
    [browser, world] = await Promise.all([
      openBrowser(),
      makeWorld('plain', { console: true, backups: { folder: temporaryFolder('backups'), program: [] } }),
    ]);
    page = await browser.page();
    await useScreen(page, NARROW);
    await logIn(page, `${world.address}/console`, 'administrator');
  });
  afterEach(() => {
    expect(browser.errors()).toEqual([]);
    expect(browser.elsewhere()).toEqual([]);
  });
  afterAll(() => Promise.all([browser.close(), world.stop()]));

  test('an invalid value is refused at its field, and a valid one is saved', async () => {
    const { id } = await world.make('boxtop', { name: 'Box' });
    await page.getByRole('searchbox', { name: 'Find' }).fill(id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Box' }).waitFor();
    await page.getByLabel('Quantity').fill('100');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Quantity');
    await page.getByRole('alert').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const [message] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(await page.locator(`#${message}`).textContent()).toBe('Quantity must be between 1 and 99.');
    await expectSoundOnScreens(page);
    await field.fill('12');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    const { body } = await world.send('GET', `/api/boxtop/${id}`);
    expect(body).toMatchObject({ name: 'Box', quantity: 12 });
  });

  test('axe finds nothing on any page, and none is wider than the screen', async () => {
    await page.goto(`${world.address}/console`);
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
    await useScreen(page, NARROW);
    await expectSoundOnScreens(page);
    await useScreen(page, NARROW);
    const more = [
      '/records/game',
      '/records/boxtop/new',
      `/records/boxtop/${await world.home('boxtop')}/delete`,
      `/users/${world.owner.id}`,
      `/audit?record=${world.owner.id}`,
      '/find?q=owner',
    ];
    for (const path of [...paths, ...more.map((end) => `/console${end}`)]) {
      await page.goto(world.address + path);
      await expectSoundInColors(page);
    }
  });

  test('logging out leads to the login', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await expectSoundOnScreens(page);
  });
});
