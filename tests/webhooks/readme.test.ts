// Every command of the module's README prints what the README shows, in order, next to a running server.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type HookFixture, startHooked } from '../cli/hooked.js';
import { OURS } from '../cli/processes.js';
import { difference, type Step, steps } from '../readme/console.js';
import { BIN, temporaryFolder } from '../support/paths.js';
import { METRICS_TOKEN } from '../support/quiet-service.js';
import { type HttpReceiver, startHttpReceiver } from './http-receiver.js';
import { readme } from './readme-snippets.js';

const folder = temporaryFolder('webhooks-readme');
let hooked: HookFixture;
let receiver: HttpReceiver;
beforeAll(async () => {
  hooked = await startHooked(folder);
  receiver = await startHttpReceiver();
});
afterAll(async () => {
  hooked.server.process.kill('SIGKILL');
  await Promise.all([hooked.server.ended, receiver.close()]);
});

/** Replaces the addresses of the README, whose ports may be taken. */
function atTestAddresses({ command, expected }: Step): Step {
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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', () => resolve(output)));
}

test('every command prints what the README shows', async () => {
  const all = steps(readme()).map(atTestAddresses);
  expect(all.length).toBeGreaterThanOrEqual(10);
  const { session, designer } = hooked.subscriber;
  const variables: Record<string, string> = { SESSION: session, DESIGNER: designer };
  for (const { command, expected } of all) {
    const name = /^([A-Z_]+)=/.exec(command)?.[1];
    const output = await shell(name === undefined ? command : `${command}\necho "$${name}"`, variables);
    if (name !== undefined) {
      expect([command, output]).toEqual([command, expect.stringMatching(/^\S{20,}\n$/)]);
      variables[name] = output.trim();
    } else expect([command, difference(expected, output)]).toEqual([command, null]);
    // The commands that follow show the delivery.
    if (command.includes('event publish'))
      await receiver.until((posts) => posts.find(({ said }) => said.type === 'data'));
  }
});

/** The options are those of `punchboard webhooks` and of `serve`. */
test('every option and metric that the README names exists', async () => {
  const help = await shell('npx punchboard serve --help; npx punchboard webhooks log --help', {});
  const metrics = await (
    await fetch(`${hooked.server.address}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text();
  const options = [...readme().matchAll(/`(--(?:webhook|smtp|mail)[a-z-]*)`/g)].map(([, option]) => option ?? '');
  const names = [...readme().matchAll(/`(webhook_[a-z_]+)/g)].map(([, name]) => name ?? '');
  expect([new Set(options).size, new Set(names).size]).toEqual([5, 13]);
  for (const option of options) expect(help).toContain(option);
  for (const name of names) expect(metrics).toMatch(new RegExp(`^# HELP punchboard_${name} `, 'm'));
});
