// `npm run test:generators`: tries the served API document and the descriptors' schema with third-party tools. Clients are
// generated from the document of the plain profile, and in the long form also from that of wing.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pngSquare } from '../../runtime/admin/demo/images.js';
import { runUser, serve } from '../cli/processes.js';
import { count } from '../support/counts.js';
import { useClients } from './clients.js';
import { useEditor } from './editor.js';
import { lint, lintBroken } from './linters.js';
import { installTools } from './tools.js';

const LONG = count(0, 1) === 1;
const CLIENTS = 'three generated clients compile and work';
const LOGIN = { username: 'ada', password: 'correct horse' };

async function main(): Promise<void> {
  const tools = installTools();
  const folder = mkdtempSync(join(tools, 'run-'));
  try {
    await report('linters report a broken document', () => lintBroken(tools, folder));
    await report('an editor completes and explains descriptors', () => useEditor(tools));
    for (const wire of ['plain', 'wing']) {
      await withServer(join(folder, wire), wire, async (address) => {
        const given = { baseUrl: address, login: LOGIN, png: pngSquare(200, 30, 30).toString('base64') };
        await Promise.all([
          report(`${wire}: redocly and spectral find nothing`, () => lint(tools, join(folder, wire))),
          wire === 'plain' || LONG
            ? report(`${wire}: ${CLIENTS}`, () => useClients(tools, join(folder, wire), given))
            : process.stdout.write(`NOT TRIED: ${wire}: ${CLIENTS}, which the long form does\n`),
        ]);
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A server with a user, whose document is in the folder. */
async function withServer(folder: string, wire: string, use: (address: string) => Promise<void>): Promise<void> {
  mkdirSync(folder);
  const user = await runUser(['add', '--username', LOGIN.username], folder, LOGIN.password);
  if (user.code !== 0) throw new Error(user.stderr);
  const server = await serve(['--port', '0', '--wire', wire, '--log-level', 'error'], folder);
  try {
    const document = await (await fetch(`${server.address}/openapi.json`)).text();
    writeFileSync(join(folder, 'openapi.json'), document);
    await use(server.address);
  } finally {
    await server.end('SIGTERM');
  }
}

async function report(what: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
    process.stdout.write(`${what}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`FAIL ${what}: ${(error as Error).message}\n`);
  }
}

void main();
