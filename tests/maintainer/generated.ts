// What a maintainer does, by the commands a maintainer types: gen into a folder of one's own, serve that.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { gen } from '../../generator/commands/gen.js';
import { DATA, type Server, serve } from '../cli/processes.js';
import { runHere } from '../support/in-process.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

export interface ServedSpec {
  readonly folder: string;
  /** The service made of the spec, in a process of its own. */
  readonly server: Server;
  /** Adds a user by the command line and logs in over HTTP. */
  user(name: string, admin?: boolean): Promise<{ readonly id: string; readonly session: string }>;
  stop(): Promise<void>;
}

/** A new folder with specs copied over each other as `spec`. */
export function copied(...specs: readonly string[]): string {
  const folder = temporaryFolder('served-spec');
  for (const spec of specs) cpSync(spec, join(folder, 'spec'), { recursive: true });
  return folder;
}

/** Copies specs over each other, generates with type check, and serves the result. Throws what the commands say. */
export async function serveSpec(...specs: readonly string[]): Promise<ServedSpec> {
  const folder = copied(...specs);
  const made = gen({ spec: join(folder, 'spec'), out: join(folder, 'generated'), check: false });
  if (made.code !== 0) throw new Error(`gen ended with ${made.code}: ${made.stdout}${made.stderr}`);
  const server = await serve(
    [
      '--port',
      '0',
      '--generated',
      'generated',
      '--log-level',
      'silent',
      '--rate-limit',
      '0',
      '--console',
      '--webhook-allow-cidrs',
      '127.0.0.0/8',
    ],
    folder,
  );
  return {
    folder,
    server,
    async user(name, admin = false) {
      const options = ['--generated', 'generated', '--username', name, ...(admin ? ['--admin'] : [])];
      const args = ['user', 'add', ...options, '--password-stdin'];
      const added = await runHere(args, folder, { input: `${PASSWORD}\n`, env: DATA });
      if (added.code !== 0) throw new Error(added.stderr);
      const response = await fetch(`${server.address}/api/session`, {
        method: 'POST',
        body: new URLSearchParams({ username: name, password: PASSWORD }),
      });
      const { id: session } = (await response.json()) as { id: string };
      return { id: (JSON.parse(added.stdout) as { id: string }).id, session };
    },
    async stop() {
      server.process.kill('SIGTERM');
      await server.ended;
    },
  };
}

const PASSWORD = 'correct horse battery';

/** The project's own descriptors. */
export const SPEC = join(ROOT, 'spec');
/** Specs that only tests know. */
export const HERE = join(ROOT, 'tests', 'maintainer');
