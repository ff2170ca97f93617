// The lending service of this folder on each engine, in one process and in two, for callers who each have a process of their own.

import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type Server, serve } from '../../cli/processes.js';
import { type Connection, connectToAll } from '../../processes/connections.js';
import { ROOT, temporaryFolder } from '../../support/paths.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../../support/postgres.js';

const FUNCTIONS = `import { type Actions, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

export const lifecycles: Lifecycles = {
  loan: {
    beforeCreate(_old, row, _now, { shelf }) {
      if (shelf === null || row.returned !== null) return undefined;
      const out = shelf.out + 1;
      return { neighbours: { shelf: [{ id: shelf.id, changes: { out, lent: shelf.lent + 1, most: Math.max(shelf.most, out) } }] } };
    },
  },
};

export const actions: Actions = {
  book: { use: ({ uses }) => ({ changes: { uses: uses + 1 } }) },
  loan: {
    return(row, _input, now, { shelf }) {
      if (row.returned !== null || shelf === null) throw new ServiceError('conflict', 'It is back.');
      return { changes: { returned: now }, neighbours: { shelf: [{ id: shelf.id, changes: { out: shelf.out - 1 } }] } };
    },
  },
};
`;

export interface Arrangement {
  readonly name: string;
  /** Starts the servers. @returns two connections for each pair of callers, to different processes where there are two */
  begin(pairs: number): Promise<readonly Pair[]>;
  end(): Promise<void>;
}

export type Pair = readonly [Connection, Connection];

/** @param spec returns the folder that {@link generate} created; called when an arrangement begins */
export function arrangements(spec: () => string): readonly Arrangement[] {
  const onFile = async (folder: string) => ({ DATABASE: join(folder, 'punchboard.db') });
  return [
    arrangement({ name: 'SQLite in one process', servers: [[]], spec, open: onFile }),
    arrangement({ name: 'SQLite with two processes', servers: [['--processes', '2']], spec, open: onFile }),
    ...(hasPostgres ? [onPostgres(spec)] : []),
  ];
}

function onPostgres(spec: () => string): Arrangement {
  let postgres: SharedPostgres | null = null;
  const { end, ...served } = arrangement({
    ...{ name: 'PostgreSQL with two servers', servers: [[], []], spec },
    async open() {
      postgres = await sharePostgres();
      return { DATABASE_URL: await postgres.createDatabase() };
    },
  });
  return {
    ...served,
    async end() {
      await end();
      await postgres?.stop();
    },
  };
}

interface ArrangementParts {
  readonly name: string;
  /** Options of each server. */
  readonly servers: readonly (readonly string[])[];
  readonly spec: () => string;
  /** @returns the environment that names the database to the servers */
  open(folder: string): Promise<Readonly<Record<string, string>>>;
}

function arrangement({ name, servers, spec, open }: ArrangementParts): Arrangement {
  const started: Server[] = [];
  const connections: Connection[] = [];
  return {
    name,
    async begin(pairs) {
      const folder = temporaryFolder('callers');
      const environment = { ...(await open(folder)), FILES: join(folder, 'files') };
      const common = [
        '--generated',
        join(spec(), 'generated'),
        '--port',
        '0',
        '--rate-limit',
        '0',
        '--log-level',
        'error',
      ];
      // They start one after the other, since the first creates the tables.
      for (const options of servers) started.push(await serve([...common, ...options], folder, environment));
      const opened: Pair[] = [];
      while (opened.length < pairs) opened.push(await pair());
      return opened;
    },
    async end() {
      for (const connection of connections.splice(0)) connection.close();
      for (const server of started.splice(0)) {
        const { code, stderr } = await server.end('SIGTERM');
        if (code !== 0) throw new Error(`a server ended with ${code}: ${stderr}`);
      }
    },
  };

  async function toAll(): Promise<readonly Connection[]> {
    const opened: Connection[] = [];
    for (const server of started) opened.push(...(await connectToAll(server)));
    connections.push(...opened);
    return opened;
  }

  async function pair(): Promise<Pair> {
    const opened = await toAll();
    const [left, right = (await toAll())[0]] = opened;
    if (left === undefined || right === undefined) throw new Error('nothing serves');
    return [left, right];
  }
}

/** @returns a new folder with the spec, its functions, and the outputs of `gen` */
export async function generate(): Promise<string> {
  const folder = temporaryFolder('lending');
  cpSync(join(ROOT, 'tests', 'lab', 'callers', 'spec'), join(folder, 'spec'), { recursive: true });
  mkdirSync(join(folder, 'spec', 'functions'));
  writeFileSync(join(folder, 'spec', 'functions', 'index.ts'), FUNCTIONS);
  const { code, stdout, stderr } = await run(['gen', '--spec', 'spec', '--out', 'generated'], folder);
  if (code !== 0) throw new Error(`gen ended with ${code}: ${stdout}${stderr}`);
  return folder;
}
