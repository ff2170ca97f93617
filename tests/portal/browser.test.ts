// The pages of owners in a real browser, wide and narrow, light and dark: a user subscribes, sees which callbacks failed, sends
// them again and tests the hook. The pages load nothing from elsewhere and report no errors, and axe finds nothing.

import { logIn } from '../console/page-user.js';
import { expectSoundInColors, expectSoundOnScreens, NARROW, useScreen } from '../console/screens.js';
import { makeWorld, type World } from '../service/world.js';
import { describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
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

  test('an owner subscribes, and retries failed callbacks', async () => {
    const page = await browser.page();
    await useScreen(page, NARROW);
    receiver.answer = () => 200;
    await logIn(page, `${world.address}/portal`, 'owner');
    await page.getByRole('link', { name: 'New web hook…' }).click();
    await page.getByLabel('About').selectOption({ label: 'Sample (Designer)' });
    await page.getByLabel('Callback address').fill(`${receiver.address}/callback`);
    await expectSoundInColors(page);
    await page.keyboard.press('Enter');
    await page.getByText('Created.').waitFor();
    const hook = page.url().replace(/\?.*/, '');
    receiver.answer = () => 500;
    await world.make('receipt', { items: [{ game_id: await world.home('game') }] }, world.admin);
    const { delivery } = await receiver.until((all) =>
      all.find(({ path, said }) => path === '/callback' && said.type === 'data'),
    );
    const waiting = `${hook}?state=waiting`;
    // Until the failure is stored, the list is fetched without loading the page each time.
    while (!(await (await page.request.get(waiting)).text()).includes('failed, waiting'));
    await page.goto(waiting);
    await expectSoundOnScreens(page);
    receiver.answer = () => 200;
    await page.getByRole('button', { name: 'Retry all' }).click();
    await expectSoundInColors(page);
    await page.getByRole('button', { name: 'Retry all' }).click();
    // The page follows the progress of the retry.
    await page.getByText('1 of 1 delivery tried again.').waitFor();
    await expectSoundInColors(page);
    expect(receiver.posts.filter((post) => post.delivery === delivery)).toHaveLength(2);
    for (const path of ['test', 'edit']) {
      await page.goto(`${hook}/${path}`);
      await expectSoundInColors(page);
    }
    await useScreen(page, NARROW);
    await page.goto(`${hook}/deliveries/${delivery}`);
    await expectSoundInColors(page);
    for (const path of ['webhooks', 'events', 'events/ItemSold', 'keys', 'keys/new']) {
      await page.goto(`${world.address}/portal/${path}`);
      await expectSoundInColors(page);
    }
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await expectSoundInColors(page);
    expect(browser.errors()).toEqual([]);
    expect(browser.elsewhere()).toEqual([]);
  });
});
