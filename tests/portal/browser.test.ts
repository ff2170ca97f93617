// The pages of owners in a real browser, wide and narrow, light and dark: a user subscribes, sees which callbacks failed, sends
// them again and tests the hook. The pages load nothing from elsewhere and report no errors, and axe finds nothing.

import type { Page } from 'playwright-core';
import { logIn } from '../console/hand.js';
import { makeWorld, type World } from '../service/world.js';
import { axeFindings, describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { type HttpReceiver, startHttpReceiver } from '../webhooks/http-receiver.js';

describeInBrowser('the pages of owners of web hooks', () => {
  let browser: TestBrowser;
  let world: World;
  let receiver: HttpReceiver;
  beforeAll(async () => {
    [browser, world, receiver] = await Promise.all([
      openBrowser(),
      makeWorld('plain', { portal: true }),
      startHttpReceiver(),
    ]);
    await Promise.all([world.home('apikey'), world.home('designer'), world.home('game')]);
  });
  afterAll(() => Promise.all([browser.close(), world.stop(), receiver.close()]));

  test.each([
    [1280, 'light'],
    [380, 'dark'],
  ] as const)('an owner subscribes, and retries failed callbacks: %s pixels, %s', async (width, colorScheme) => {
    const page = await browser.page(width);
    await page.emulateMedia({ colorScheme });
    receiver.answer = () => 200;
    await logIn(page, `${world.address}/portal`, 'owner');
    await page.getByRole('link', { name: 'New web hook…' }).click();
    await page.getByLabel('About').selectOption({ label: 'Sample (Designer)' });
    await page.getByLabel('Callback address').fill(`${receiver.address}/${width}`);
    await expectSound(page);
    await page.keyboard.press('Enter');
    await page.getByText('Created.').waitFor();
    const hook = page.url().replace(/\?.*/, '');
    receiver.answer = () => 500;
    await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
    const { delivery } = await receiver.until((all) =>
      all.find(({ path, said }) => path === `/${width}` && said.type === 'data'),
    );
    const failed = page.getByText('failed, waiting').first();
    do await page.goto(`${hook}?state=waiting`);
    while (!(await failed.isVisible()));
    await expectSound(page);
    receiver.answer = () => 200;
    await page.getByRole('button', { name: 'Retry all' }).click();
    await expectSound(page);
    await page.getByRole('button', { name: 'Retry all' }).click();
    // The page follows the progress of the retry.
    await page.getByText('1 of 1 delivery tried again.').waitFor();
    await expectSound(page);
    expect(receiver.posts.filter((post) => post.delivery === delivery)).toHaveLength(2);
    for (const path of ['test', 'edit']) {
      await page.goto(`${hook}/${path}`);
      await expectSound(page);
    }
    await page.goto(`${hook}/deliveries/${delivery}`);
    await expectSound(page);
    for (const path of ['webhooks', 'events', 'events/ItemSold', 'keys', 'keys/new']) {
      await page.goto(`${world.address}/portal/${path}`);
      await expectSound(page);
    }
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await expectSound(page);
    await page.close();
    expect(browser.errors()).toEqual([]);
    expect(browser.elsewhere()).toEqual([]);
  });
});

/** Checks that axe finds nothing, and that the page is not wider than the screen. */
async function expectSound(page: Page): Promise<void> {
  const wide = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect([page.url(), await axeFindings(page), wide]).toEqual([page.url(), [], 0]);
}
