// The docs page in a real browser: log in, and create a record by trying the operation, in both wire profiles; axe finds nothing
// serious. The page shows the operations of one path, with what they refer to; the long form (PUNCHBOARD_LONG=1) shows all, which
// takes Scalar half a minute of CPU.

import type { Page } from 'playwright-core';
import type { Profile } from '../../runtime/http/profiles.js';
import { axeFindings, describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { clientOf } from '../support/client.js';
import { count } from '../support/counts.js';
import { partOf } from '../support/document-part.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';

describeInBrowser('the docs page', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['plain', 1280, openAndLogIn],
    ['wing', 380, openWithSession],
  ] as const)(
    'trying an operation creates a record of whoever is logged in: %s, %s pixels',
    async (wire, width, enter) => {
      const service = await startService({ wire });
      try {
        const { game, session } = await makeGame(service, wire);
        const page = await browser.page(width);
        const warnings: string[] = [];
        page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
        if (count(0, 1) === 0) await shorten(page);
        await enter(page, `${service.address}/docs#tag/boxtop/POST/api/boxtop`, session);
        expect(await repaired(page)).toEqual([]);
        // The link has scrolled to the operation, and the bar with the login stays.
        expect(
          await page.evaluate('[scrollY > 1000, document.querySelector(".bar").getBoundingClientRect().top]'),
        ).toEqual([true, 0]);
        // Scalar warns of what it does not take for a schema.
        expect(warnings).toEqual([]);
        const answer = await tryIt(page, '/api/boxtop', { name: 'Tried', game_id: game });
        expect(answer).toContain(wire === 'plain' ? '201' : '200');
        const { body } = await clientOf(service.address)('GET', `/api/game/${game}/boxtops`, { session });
        const { items } = body.result ?? body;
        expect(items).toEqual([expect.objectContaining({ name: 'Tried', quantity: 1 })]);
        expect(await axeFindings(page, '.scalar-client')).toEqual([]);
        await page.getByRole('button', { name: 'Close Client' }).click();
        await page.getByRole('button', { name: 'Log out' }).click();
        // The narrow page, too, is logged in to through its form: here, where nobody waits for Scalar to show everything again,
        // which takes 2.6 s of CPU.
        await logIn(page);
        await page.close();
        expect(browser.errors()).toEqual([]);
        expect(browser.elsewhere()).toEqual([]);
      } finally {
        await service.stop();
      }
    },
  );

  /** A check that reports nothing wherever it looks would be worth nothing. */
  test('a script error, a request elsewhere and an input without a name are found', async () => {
    const page = await browser.page();
    await page.setContent('<html lang="en"><title>x</title><input><script>throw new Error("planted")</script>');
    await page.evaluate(() => fetch('http://elsewhere.invalid/').catch(() => null));
    expect(await axeFindings(page)).toEqual([expect.stringMatching(/^label: <input>/)]);
    expect(browser.errors().join()).toContain('planted');
    expect(browser.elsewhere()).toEqual(['http://elsewhere.invalid/']);
    await page.close();
  });
});

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

/** The page gets the document without the operations of other paths, and what only these refer to. */
async function shorten(page: Page): Promise<void> {
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch();
    const { webhooks, ...document } = await response.json();
    const part = partOf(document, ['/api/boxtop']);
    const tags = [{ name: 'boxtop' }];
    const json = { ...part, tags, 'x-tagGroups': [{ name: 'Shown', tags: ['boxtop'] }] };
    await route.fulfill({ response, json });
  });
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

/** As after a reload: the tab has kept the session. */
async function openWithSession(page: Page, address: string, id: string): Promise<void> {
  const kept = JSON.stringify(JSON.stringify({ id, username: 'ada' }));
  await page.addInitScript({ content: `sessionStorage.setItem('punchboard.session', ${kept})` });
  await page.goto(address);
  await page.getByText('Logged in as ada').waitFor();
}

/** What axe finds once Scalar has rendered the operation, and our script what it had to repair. */
async function repaired(page: Page): Promise<readonly string[]> {
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor();
  await page.waitForFunction('document.querySelector("#reference ul.endpoints:not([tabindex])") === null');
  return axeFindings(page);
}

/** Opens Scalar's client for `POST path`, sends that body, and resolves with the status it shows. */
async function tryIt(page: Page, path: string, body: Readonly<Record<string, string>>): Promise<string> {
  await page.getByRole('button', { name: new RegExp(`Test Request.*post ${path}\\)`, 'i') }).click();
  const client = page.locator('.scalar-client');
  await client.locator('.cm-content').filter({ hasText: '{' }).first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(JSON.stringify(body));
  // Scalar takes over what is typed a moment later; its sample of code then shows it.
  await client.getByRole('button', { name: /^Code Snippet/ }).click();
  await client
    .locator('pre, code')
    .filter({ hasText: Object.values(body)[0] ?? '' })
    .first()
    .waitFor();
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().endsWith(path) && one.request().method() === 'POST'),
    client.getByRole('button', { name: /^Send/ }).first().click(),
  ]);
  return `${response.status()} ${await response.text()}`;
}
