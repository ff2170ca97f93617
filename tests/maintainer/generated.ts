// What a maintainer does, by the commands a maintainer types: gen into a separate folder, and serve that.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DATA, type Server, serve } from '../cli/processes.js';
import { runHere } from '../support/in-process.js';
import { runMaintainers } from '../support/maintainers-here.js';
import { ROOT, temporaryFolder } from '../support/paths.js';

export interface ServedSpec {
  readonly folder: string;
  /** The service of the spec, in a separate process. */
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

/** Generates the spec of the folder, with type check. Throws what the command says. */
export function generate(folder: string): void {
  const { code, stdout, stderr } = runMaintainers(['gen', '--spec', 'spec', '--out', 'generated'], folder);
  if (code !== 0) throw new Error(`gen ended with ${code}: ${stdout}${stderr}`);
}

/** Copies specs over each other, generates with type check, and serves the result. Throws what the commands say. */
export async function serveSpec(...specs: readonly string[]): Promise<ServedSpec> {
  const folder = copied(...specs);
  generate(folder);
  return serveGenerated(folder);
}

/** Serves what was generated into the folder. */
export async function serveGenerated(folder: string): Promise<ServedSpec> {
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
  const env = { ...DATA, GENERATED: 'generated' };
  return {
    folder,
    server,
    async user(name, admin = false) {
      const options = ['--username', name, '--password-stdin', ...(admin ? ['--admin'] : [])];
      const added = await runHere(['user', 'add', ...options], folder, { input: `${PASSWORD}\n`, env });
      if (added.code !== 0) throw new Error(added.stderr);
      const response = await fetch(`${server.address}/api/session`, {
        method: 'POST',
        body: new URLSearchParams({ username: name, password: PASSWORD }),
      });
      const { id: session } = (await response.json()) as { id: string };
      return { id: (JSON.parse(added.stdout) as { id: string }).id, session };
    },
    async stop() {
      await server.end('SIGTERM');
    },
  };
}

const PASSWORD = 'correct horse battery';

/** The project's own descriptors. */
export const SPEC = join(ROOT, 'spec');
/** The folder of specs that only tests use. */
export const HERE = join(ROOT, 'tests', 'maintainer');
