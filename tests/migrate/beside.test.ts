// A value is renamed on PostgreSQL while a server of the previous version, in a separate process, continues to read and write:
// its writes get the new name, during the migration and afterwards, and it can even start again (D45).
import { join } from 'node:path';
import { generate } from '../../generator/generate.js';
import type { Ledger } from '../../generator/ledger/ledger.js';
import { quoted } from '../../runtime/schema/sql-text.js';
import { createConnections, type Query } from '../../runtime/store/postgres/connections.js';
import { type Server, serve } from '../cli/processes.js';
import { compileAll, prepare } from '../domains/bench.js';
import { BASE, sourceOf, state, type Texts } from '../evolution/texts.js';
import { clientOf, type Reply, type Send } from '../support/client.js';
import { count } from '../support/counts.js';
import { runHere } from '../support/in-process.js';
import { temporaryFolder } from '../support/paths.js';
import { hasPostgres, type SharedPostgres, sharePostgres } from '../support/postgres.js';
import { startService, type TestService } from '../support/service.js';
import { writeFiles } from '../support/write-files.js';

/** Rows of each of two identities. */
const ROWS = count(2500, 50_000);

const SPEC: Texts = {
  'conventions.yaml':
    'title: Beside\nversion: 1.0.0\nsummary: A service of which a value is renamed.\nimage_types: [image/png]\n',
  'resources/user.yaml': BASE['resources/user.yaml'] ?? '',
  'resources/game.yaml': `resource: game
title: Game
summary: Game of cards.
fields:
  name: { kind: text, required: true, max: 60, description: Name of the game. }
  user: { kind: reference, default: session.user, on_delete: restrict, place: true, description: Owner of the game. }
access: { read: anyone, edit: [user] }
`,
};

/** The spec with a list per value. @param values of the cards */
function specOf(values: string): Texts {
  const card = `resource: card
title: Card
summary: Card in one of several sizes.
identities: ${values}
fields:
  name: { kind: text, max: 60, description: Name. }
  game: { kind: reference, parent: true, list_each: identity, description: Game of the card. }
access: { read: anyone, edit: [game] }
`;
  return { ...SPEC, 'resources/card.yaml': card };
}

const OLD = specOf('[PokerCard, TarotCard]');
const NEW = specOf('{ PokerCard: , FateCard: { was: TarotCard } }');

const folder = temporaryFolder('beside');
const old = join(folder, 'old');
const next = join(folder, 'new');

/** Writes the output of a spec, without its tests; returns the files to compile. */
function writeOutputs(texts: Texts, ledger: Ledger | null, to: string): readonly string[] {
  const generation = generate(sourceOf(texts, ledger), '../runtime/contract/kit.js');
  if (!generation.ok) throw new Error('the spec has mistakes');
  const outputs = generation.outputs.filter(({ path }) => !path.startsWith('tests/'));
  writeFiles(to, outputs);
  return outputs.filter(({ path }) => path.endsWith('.ts')).map(({ path }) => join(to, path));
}

(hasPostgres ? describe : describe.skip)('a value renamed on PostgreSQL', () => {
  let postgres: SharedPostgres;
  let url = '';
  let before: Server | null = null;
  let after: TestService | null = null;

  const startOld = async (): Promise<Send> => {
    before = await serve([...QUIETLY, '--generated', old], folder, { DATABASE_URL: url });
    return clientOf(before.address);
  };

  beforeAll(async () => {
    prepare(folder);
    const sources = [...writeOutputs(OLD, null, old), ...writeOutputs(NEW, state(OLD, null).ledger, next)];
    expect(compileAll([{ sources }])).toBe('');
    postgres = await sharePostgres();
    url = await postgres.createDatabase();
  });
  afterAll(async () => {
    before?.process.kill('SIGKILL');
    await after?.stop();
    await postgres?.stop();
  });

  test('an old server continues beside the new one, and every row has the new name', async () => {
    const send = await startOld();
    const owner = await ownerOf(send, url);
    const card = (game: string, identity: string) =>
      send('POST', '/api/card', { ...owner, parameters: { name: 'Ada', game_id: game, identity } });
    const [filled, empty] = [await owner.game('filled'), await owner.game('empty')];
    const { body: first } = await card(filled, 'TarotCard');
    await copyRows(url, first.id);

    const starting = startService({ database: url, generated: next, files: join(folder, 'files') });
    let done = false;
    void starting.finally(() => {
      done = true;
    });
    const answers: Reply[] = [];
    while (!done || answers.length === 0) {
      answers.push(await card(empty, 'TarotCard'), await send('GET', `/api/card/${first.id}`));
      answers.push(await send('PUT', `/api/card/${first.id}`, { ...owner, parameters: { name: 'Grace' } }));
      answers.push(await send('GET', `/api/game/${filled}/pokercards`, owner));
    }
    after = await starting;
    const { body: last } = await card(empty, 'TarotCard');
    answers.push(await send('GET', `/api/card/${last.id}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 200]));

    const sendToNew = clientOf(after.address);
    expect((await sendToNew('GET', `/api/card/${last.id}`)).body.identity).toBe('FateCard');
    const created = answers.filter(({ status }) => status === 201).length + 1;
    const { body: list } = await sendToNew('GET', `/api/game/${empty}/fatecards`, owner);
    expect(list.paging.total_items).toBe(created);
    expect(await tally(url)).toEqual({ FateCard: ROWS + 1 + created, PokerCard: ROWS });

    await before?.end('SIGTERM');
    const again = await startOld();
    expect((await again('GET', `/api/card/${last.id}`)).body.identity).toBe('FateCard');
  });
});

const QUIETLY = ['--port', '0', '--rate-limit', '0', '--log-level', 'silent'];
const PASSWORD = 'correct horse battery';

/** Creates a user who owns games. */
async function ownerOf(send: Send, url: string) {
  const args = ['user', 'add', '--generated', old, '--database', url, '--username', 'ada', '--password-stdin'];
  const added = await runHere(args, folder, { input: `${PASSWORD}\n` });
  if (added.code !== 0) throw new Error(added.stderr);
  const { body } = await send('POST', '/api/session', { parameters: { username: 'ada', password: PASSWORD } });
  const session = String(body.id);
  const game = async (name: string): Promise<string> =>
    (await send('POST', '/api/game', { session, parameters: { name } })).body.id;
  return { session, game };
}

async function within<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const connections = createConnections({ url, size: 1, timeout: 60_000 });
  return connections.session(work).finally(connections.close);
}

/** Inserts the given number of rows of each identity, with the other values of the existing row. */
function copyRows(url: string, id: string): Promise<void> {
  return within(url, async (query) => {
    const [row = {}] = await query('SELECT * FROM card WHERE id = $1', [id]);
    const values = Object.keys(row).map((name) => {
      if (name === 'id') return `left(id, 2) || lpad(n::text, length(id) - 2, '0')`;
      return name === 'identity' ? `CASE n % 2 WHEN 0 THEN 'TarotCard' ELSE 'PokerCard' END` : quoted(name);
    });
    const names = Object.keys(row).map(quoted).join(', ');
    await query(
      `INSERT INTO card (${names}) SELECT ${values.join(', ')} FROM card, generate_series(1, ${2 * ROWS}) n WHERE id = $1`,
      [id],
    );
  });
}

/** The number of rows of each identity. */
function tally(url: string): Promise<Readonly<Record<string, number>>> {
  return within(url, async (query) => {
    const rows = await query('SELECT identity, count(*) AS n FROM card GROUP BY identity ORDER BY identity');
    return Object.fromEntries(rows.map(({ identity, n }) => [String(identity), Number(n)]));
  });
}
