// The docs page in a real browser, in both wire profiles: after less than a second of processor time, a user can log in, find an
// operation and create a record by trying it; axe finds nothing, in both colour schemes.

import type { Page } from 'playwright-core';
import type { Profile } from '../../runtime/http/profiles.js';
import { axeFindings, describeInBrowser, openBrowser, RULES_OF_STYLE } from '../support/browser.js';
import { clientOf } from '../support/client.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';
import { shared } from '../support/shared.js';

describeInBrowser('the docs page', () => {
  const browser = shared(openBrowser);

  test.each([
    ['plain', 1280, 'light', RULES_OF_STYLE, openAndLogIn],
    ['wing', 375, 'dark', undefined, openWithSession],
  ] as const)(
    'trying an operation creates a record of the logged-in user: %s, %s pixels, %s',
    async (wire, width, colorScheme, rules, enter) => {
      const service = await startService({ wire });
      try {
        const { game, session } = await makeGame(service, wire);
        const page = await browser.page(width);
        const warnings: string[] = [];
        page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
        await enter(page, `${service.address}/docs`, session);
        expect(await secondsOf(page)).toBeLessThan(1);
        await page.emulateMedia({ colorScheme });
        expect(await axeFindings(page, { rules })).toEqual([]);
        // By keyboard alone: the typed text finds the operation, and Tab moves to its link.
        await page.getByRole('searchbox', { name: 'Find operations' }).focus();
        await page.keyboard.type('create box top /api/boxtop');
        const link = page.getByRole('link', { name: 'Create a box top', exact: true });
        await link.waitFor();
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.textContent')).toBe('Create a box top');
        await Promise.all([page.waitForURL('**/docs/boxtop#createBoxtop'), page.keyboard.press('Enter')]);
        // The page has scrolled to the operation, below the fixed bar with the login.
        expect(await page.evaluate(LAYOUT)).toEqual([true, true, 0, width]);
        const answer = await tryIt(page, 'Create a box top', { name: 'Tried', game_id: game });
        expect(answer).toContain(wire === 'plain' ? '201' : '200');
        const { body } = await clientOf(service.address)('GET', `/api/game/${game}/boxtops`, { session });
        const { items } = body.result ?? body;
        expect(items).toEqual([expect.objectContaining({ name: 'Tried', quantity: 1 })]);
        await page.evaluate('document.querySelectorAll("main details").forEach(one => { one.open = true })');
        expect(await axeFindings(page, { rules, except: FURTHER_OPERATIONS })).toEqual([]);
        await page.getByRole('button', { name: 'Log out' }).click();
        await logIn(page);
        expect(warnings).toEqual([]);
        expect(browser.errors()).toEqual([]);
        expect(browser.elsewhere()).toEqual([]);
      } finally {
        await service.stop();
      }
    },
  );

  test('a file is sent with its fields; parameters go into the path and the query; the largest page is cheap', async () => {
    const service = await startService();
    try {
      const { game, session } = await makeGame(service, 'plain');
      const page = await browser.page();
      await openWithSession(page, `${service.address}/docs/file`, session);
      const [upload, list] = ['createFile', 'listGameBoxtops'].map((id) => page.locator(`[id="${id}"]`));
      await upload
        ?.getByLabel('file', { exact: true })
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
      await upload?.getByLabel('name', { exact: true }).fill('Front');
      expect(await send(page, upload?.getByRole('button', { name: /^Send/ }))).toContain('"name": "Front"');
      // A link in the form of an earlier docs page.
      await page.goto(`${service.address}/docs#tag/boxtop/GET/api/game/{id}/boxtops`);
      await page.waitForURL('**/docs/boxtop');
      await list?.getByLabel('id', { exact: true }).fill(game);
      await list?.getByLabel('_items_per_page').fill('7');
      expect(await send(page, list?.getByRole('button', { name: /^Send/ }))).toContain('"items_per_page": 7');
      const large = await browser.page();
      await large.goto(`${service.address}/docs/game`);
      expect(await secondsOf(large)).toBeLessThan(1);
      expect(browser.errors()).toEqual([]);
    } finally {
      await service.stop();
    }
  });

  /** A check that never reports anything would prove nothing. */
  test('a script error, a request to another machine and an input without a name are detected, and processor time is counted', async () => {
    const page = await browser.page();
    await page.setContent('<html lang="en"><title>x</title><input><script>throw new Error("planted")</script>');
    await page.evaluate(() => fetch('http://elsewhere.invalid/').catch(() => null));
    expect(await axeFindings(page)).toContainEqual(expect.stringMatching(/^label \(critical\): <input>/));
    expect(browser.errors().join()).toContain('planted');
    expect(browser.elsewhere()).toEqual(['http://elsewhere.invalid/']);
    await page.evaluate('for (const end = performance.now() + 600; performance.now() < end; );');
    expect(await secondsOf(page)).toBeGreaterThan(0.1);
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

// The first three operations of a page have every part that an operation can have; axe takes most of a second for the others.
const FURTHER_OPERATIONS = '.operation ~ .operation ~ .operation ~ .operation';

/** Whether the page has scrolled, whether the heading is below the bar, where the bar is, and how wide the page is. */
const LAYOUT = `[
  scrollY > 100,
  document.querySelector("#createBoxtop h2").getBoundingClientRect().top > document.querySelector(".top").offsetHeight,
  document.querySelector(".top").getBoundingClientRect().top,
  document.documentElement.scrollWidth,
]`;

/** The processor time of the page so far, of all threads of its process. */
async function secondsOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Number.NaN;
}

async function makeGame(service: TestService, wire: Profile['name']) {
  const { session } = await service.user('ada');
  const send = clientOf(service.address);
  const make = async (type: string, parameters: object): Promise<string> => {
    const { body } = await send('POST', `/api/${type}`, {
      session,
      parameters: { ...parameters, session_id: session },
    });
    return wire === 'plain' ? body.id : body.result.id;
  };
  const designer = await make('designer', { name: 'Acme' });
  return { session, game: await make('game', { name: 'Chess', designer_id: designer }) };
}

async function openAndLogIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await logIn(page);
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('Logged in as ada').waitFor();
}

/** Opens the page as after a reload, in a tab that has kept the session. */
async function openWithSession(page: Page, address: string, id: string): Promise<void> {
  const stored = JSON.stringify(JSON.stringify({ id, username: 'ada' }));
  const script = `if (!sessionStorage.getItem('seen')) sessionStorage.setItem('punchboard.session', ${stored})`;
  await page.addInitScript({ content: `${script}; sessionStorage.setItem('seen', '1')` });
  await page.goto(address);
  await page.getByText('Logged in as ada').waitFor();
}

/** Sends the operation with a body; resolves with the answer that the page shows. */
async function tryIt(page: Page, summary: string, body: Readonly<Record<string, string>>): Promise<string> {
  await page.locator('[id="createBoxtop.body"]').fill(JSON.stringify(body));
  return send(page, page.getByRole('button', { name: `Send: ${summary}`, exact: true }));
}

/** Presses the button by keyboard; resolves with the answer that the page shows. */
async function send(page: Page, button: ReturnType<Page['getByRole']> | undefined): Promise<string> {
  await button?.press('Enter');
  const answer = page.locator('.send[role="status"] pre');
  await answer.waitFor();
  return (await answer.textContent()) ?? '';
}
