// The generated client against a running service: every method of every resource, in both profiles, in Node and a browser.

import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ID_EXAMPLE } from '../../generator/model/kinds/record-id.js';
import { pngSquare, SVG_HEXAGON } from '../../runtime/admin/demo/images.js';
import { describeInBrowser, openBrowser, type TestBrowser } from '../support/browser.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';
import { PDF, referencesOf } from '../support/references.js';
import { PASSWORD, startService, type TestService } from '../support/service.js';
import { shared } from '../support/shared.js';
import { WORKER_OPTIONS } from '../support/worker-options.js';

type Module = typeof import('./every-operation.mjs', { with: { 'resolution-mode': 'import' }});
type OperationSettings = Parameters<Module['everyOperation']>[1];
type Report = Awaited<ReturnType<Module['everyOperation']>>;

const WIRES = ['plain', 'wing'] as const;

let receiver: Server;
beforeAll(async () => {
  receiver = createServer((req, res) => req.resume().on('end', () => res.end()));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});

async function withService<T>(wire: (typeof WIRES)[number], run: (service: TestService) => Promise<T>): Promise<T> {
  const service = await startService({ wire, webhookAllowCidrs: ['127.0.0.0/8'] });
  try {
    await service.user('root', true);
    return await run(service);
  } finally {
    await service.stop();
  }
}

async function settingOf({ address }: TestService): Promise<OperationSettings> {
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as Parameters<typeof referencesOf>[0];
  return {
    ...referencesOf(document),
    baseUrl: address,
    username: 'root',
    password: PASSWORD,
    receiver: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    png: pngSquare(200, 30, 30).toString('base64'),
    svg: Buffer.from(SVG_HEXAGON).toString('base64'),
    pdf: Buffer.from(PDF).toString('base64'),
    exampleId: ID_EXAMPLE,
  };
}

function expectAll({ called, missed, failures }: Report): void {
  expect(failures).toEqual([]);
  expect(missed).toEqual([]);
  expect(called.length).toBeGreaterThan(180);
}

// In the short form Node has one profile and a browser the other, whose records the client converts.
test.each(WIRES.slice(0, count(1, WIRES.length)))('Node, %s', async (wire) => {
  const script = join(ROOT, 'dist', 'tests', 'client', 'node.mjs');
  const report = await withService(wire, async (service) => {
    const args = [...WORKER_OPTIONS, script, JSON.stringify(await settingOf(service))];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 24 });
    return JSON.parse(stdout) as Report;
  });
  expectAll(report);
});

describeInBrowser('a browser', () => {
  const browser = shared(openBrowser);

  test.each(WIRES.slice(count(1, 0)))('%s', async (wire) => {
    expectAll(await withService(wire, async (service) => inBrowser(browser, await settingOf(service))));
    expect(browser.errors()).toEqual([]);
    expect(browser.elsewhere()).toEqual([]);
  });
});

const GIVEN = '**/given/**';

/** The page gets the client's files as if the service had them, so that it calls its own origin. */
async function inBrowser(browser: TestBrowser, setting: OperationSettings): Promise<Report> {
  const page = await browser.page();
  const folders = { client: join(ROOT, 'generated', 'client'), tests: join(ROOT, 'dist', 'tests', 'client') };
  await page.route(GIVEN, async (route) => {
    const [, folder, file] = /\/given\/(client|tests)\/(.+)$/.exec(route.request().url()) ?? [];
    if (file === undefined)
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>client</title>' });
    const path = join(folders[folder as 'client'], file);
    return route.fulfill({ contentType: 'text/javascript', path });
  });
  await page.goto(`${setting.baseUrl}/given/`);
  await page.evaluate(
    `Promise.all(['tests/every-operation.mjs', 'client/index.js'].map((path) => import('/given/' + path)))`,
  );
  // With a route, Playwright would hold and release each of the thousands of requests.
  await page.unroute(GIVEN);
  const script = `(async () => {
    const { everyOperation } = await import('/given/tests/every-operation.mjs');
    return everyOperation(await import('/given/client/index.js'), ${JSON.stringify(setting)});
  })()`;
  return (await page.evaluate(script)) as Report;
}
