// `npm run pictures`: takes the picture of the operators' pages that the README shows, with a real browser.

import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fillDemo } from '../../runtime/admin/demo/demo.js';
import { readDocument } from '../../runtime/server/load-generated.js';
import { openBrowser } from '../support/browser.js';
import { ROOT } from '../support/paths.js';
import { startService } from '../support/service.js';

const PICTURE = join(ROOT, 'runtime', 'admin', 'console', 'console.png');
/** Limit in bytes, since the picture is part of every clone. */
const MOST = 100_000;

async function main(): Promise<void> {
  const [browser, service] = await Promise.all([openBrowser(), startService({ console: true })]);
  const now = Date.now();
  const document = JSON.parse(readDocument(null).toString());
  const { records } = await fillDemo(service.service, service.blobs, { now, random: randomBytes, document });
  const { session } = await service.user('ada', true);
  const page = await browser.page(1100, 650);
  await page.context().addCookies([{ name: 'punchboard_console', value: session, url: `${service.address}/console` }]);
  await page.goto(`${service.address}/console/records/boxtop/${records.get('boxtop')}`);
  await page.getByLabel('Quantity').fill('100');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await page.screenshot({ path: PICTURE });
  await Promise.all([browser.close(), service.stop()]);
  rmSync(service.folder, { recursive: true, force: true });
  const { size } = statSync(PICTURE);
  process.stdout.write(`${PICTURE}: ${size} bytes\n`);
  if (size > MOST) process.exitCode = 1;
}

void main();
