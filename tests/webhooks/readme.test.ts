// Every command of the module's README, as printed, one after the other alongside a running server.

import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type HookFixture, startHooked } from '../cli/hooked.js';
import { OURS } from '../cli/processes.js';
import { difference, type Step, steps } from '../readme/console.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { type HttpReceiver, startHttpReceiver } from './http-receiver.js';
import { readme } from './readme-snippets.js';

let folder: string;
let hooked: HookFixture;
let receiver: HttpReceiver;
beforeAll(async () => {
  folder = temporaryFolder('webhooks-readme');
  hooked = await startHooked(folder);
  receiver = await startHttpReceiver();
});
afterAll(async () => {
  hooked.server.process.kill('SIGKILL');
  await Promise.all([hooked.server.ended, receiver.close()]);
  rmSync(folder, { recursive: true });
});

/** The README names ports that somebody else may have. */
function here({ command, expected }: Step): Step {
  const replace = (text: string): string =>
    text
      .replaceAll('http://127.0.0.1:3000', hooked.server.address)
      .replaceAll('http://127.0.0.1:8080', receiver.address);
  return { command: replace(command), expected: expected.map(replace) };
}

function shell(script: string, variables: Readonly<Record<string, string>>): Promise<string> {
  // npx finds the command of this project, without asking a registry.
  const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`;
  const env = { PATH: process.env.PATH, ...OURS, DATABASE: join(folder, 'data', 'punchboard.db'), ...variables };
  const child = spawn('bash', ['--norc', '-c', `${npx}\n${script}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve) => child.once('close', () => resolve(said)));
}

test('every command does what is printed', async () => {
  const all = steps(readme()).map(here);
  expect(all.length).toBeGreaterThanOrEqual(10);
  const { session, designer } = hooked.subscriber;
  const variables: Record<string, string> = { SESSION: session, DESIGNER: designer };
  for (const { command, expected } of all) {
    const name = /^([A-Z_]+)=/.exec(command)?.[1];
    const said = await shell(name === undefined ? command : `${command}\necho "$${name}"`, variables);
    if (name !== undefined) {
      expect([command, said]).toEqual([command, expect.stringMatching(/^\S{20,}\n$/)]);
      variables[name] = said.trim();
    } else expect([command, difference(expected, said)]).toEqual([command, null]);
    // What follows shows what came of it.
    if (command.includes('event publish'))
      await receiver.until((posts) => posts.find(({ said }) => said.type === 'data'));
  }
});

/** Options of `punchboard webhooks` and of `serve` that the README speaks of. */
test('every option and metric that is named exists', async () => {
  const help = await shell('npx punchboard serve --help; npx punchboard webhooks log --help', {});
  const metrics = await (
    await fetch(`${hooked.server.address}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text();
  const options = [...readme().matchAll(/`(--(?:webhook|smtp|mail)[a-z-]*)`/g)].map(([, option]) => option ?? '');
  const figures = [...readme().matchAll(/`(webhook_[a-z_]+)/g)].map(([, figure]) => figure ?? '');
  expect([new Set(options).size, new Set(figures).size]).toEqual([5, 13]);
  for (const option of options) expect(help).toContain(option);
  for (const figure of figures) expect(metrics).toMatch(new RegExp(`^# HELP punchboard_${figure} `, 'm'));
});
