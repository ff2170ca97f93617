// The operators' pages in a real browser, wide and narrow, light and dark: forms show their mistakes at the fields, axe finds
// nothing on any page, and the pages load nothing from elsewhere and report no error.

import type { Page } from 'playwright-core';
import { makeWorld, type World } from '../service/world.js';
import { axeFindings, describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { temporaryFolder } from '../support/paths.js';
import { logIn } from './hand.js';

const SCREENS = [
  [1280, 'light'],
  [375, 'dark'],
] as const;

describeInBrowser("the operators' pages", () => {
  let browser: TestBrowser;
  let world: World;
  beforeAll(async () => {
    [browser, world] = await Promise.all([
      openBrowser(),
      makeWorld('plain', { console: true, backups: { folder: temporaryFolder('backups'), program: [] } }),
    ]);
  });
  afterAll(() => Promise.all([browser.close(), world.stop()]));

  describe.each(SCREENS)('%s pixels, %s', (width, colorScheme) => {
    let page: Page;
    beforeAll(async () => {
      page = await browser.page(width);
      await logIn(page, `${world.address}/console`, 'administrator');
      await page.emulateMedia({ colorScheme });
    });
    afterEach(() => {
      expect(browser.errors()).toEqual([]);
      expect(browser.elsewhere()).toEqual([]);
    });

    test('a wrong value is refused at its field, and a right one saved', async () => {
      const { id } = await world.make('boxtop', { name: `Box ${width}` });
      await page.getByRole('searchbox', { name: 'Find' }).fill(id);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Box ${width}` }).waitFor();
      await page.getByLabel('Quantity').fill('100');
      await page.keyboard.press('Enter');
      const field = page.getByLabel('Quantity');
      await page.getByRole('alert').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      const [message] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
      expect(await page.locator(`#${message}`).textContent()).toBe('Quantity must be between 1 and 99.');
      expect(await axeFindings(page)).toEqual([]);
      await field.fill('12');
      await page.keyboard.press('Enter');
      await page.getByText('Saved.').waitFor();
      const { body } = await world.send('GET', `/api/boxtop/${id}`);
      expect(body).toMatchObject({ name: `Box ${width}`, quantity: 12 });
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
      const more = [
        '/records/game',
        '/records/boxtop/new',
        `/records/boxtop/${await world.home('boxtop')}/delete`,
        `/users/${world.owner.id}`,
        `/audit?record=${world.owner.id}`,
        '/find?q=owner',
      ];
      for (const path of [...paths, ...more.map((one) => `/console${one}`)]) {
        await page.goto(world.address + path);
        const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
        expect([path, await axeFindings(page), wide]).toEqual([path, [], 0]);
      }
    });

    test('logging out leads to the login', async () => {
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.close();
    });
  });
});
