// The operators' pages over many records and deliveries: the processor time of each page, and an export during fetches.

import { get } from 'node:http';
import { visitorOf } from '../../console/visitor.js';
import { clientOf } from '../../support/client.js';
import { runSql } from '../../support/database.js';
import { startService, type TestService } from '../../support/service.js';
import type { BenchResult } from '../bench.js';
import type { Extent } from '../extent.js';
import { median } from '../throughput.js';

const MIB = 2 ** 20;
/** Milliseconds between two fetches during the export. */
const PAUSE_MS = 5;

export async function* pages(_folder: string, extent: Extent): AsyncIterable<BenchResult> {
  const service = await startService({ console: true });
  try {
    const { cards, deliveries, exported } = extent.pages;
    const stage = await fill(service, cards, deliveries);
    yield await readPages(stage, extent);
    await multiply(service, stage.card, { from: cards, to: exported });
    yield await exportBeside(stage, exported);
  } finally {
    await service.stop();
  }
}

interface Stage {
  readonly service: TestService;
  readonly session: string;
  readonly game: string;
  readonly card: string;
  readonly deck: string;
  readonly hook: string;
  readonly delivery: string;
}

/** Records are copied by SQL, as the API would take too long. */
async function fill(service: TestService, cards: number, deliveries: number): Promise<Stage> {
  const { session } = await service.user('ada', true);
  const send = clientOf(service.address);
  const make = async (type: string, parameters: Readonly<Record<string, unknown>>) => {
    const { status, text, body } = await send('POST', `/api/${type}`, { session, parameters });
    if (status >= 300) throw new Error(text);
    return String(body.id);
  };
  const owner_id = await make('designer', { name: 'Ada Games' });
  const game = await make('game', { name: 'Dawn', designer_id: owner_id });
  const deck = await make('deck', { name: 'Full', game_id: game });
  const card = await make('card', { name: 'First', deck_id: deck });
  await multiply(service, card, { from: 0, to: cards });
  // Nothing is sent, since the hook has no key that could sign.
  const now = Date.now();
  const [hook, delivery] = [
    `${owner_id.slice(0, 2)}hhhhhhhhhhhhhhhhhhhhhhhh`,
    `${owner_id.slice(0, 2)}d00000000000000000000001`,
  ];
  await runSql(
    service.service,
    `INSERT INTO webhook (id, date_created, date_updated, user_id, owner_class, owner_id, event, callback_uri, format)
     SELECT ?, ?, ?, user_id, 'Designer', id, 'ItemSold', 'http://127.0.0.1:9/', 'form' FROM designer`,
    ...[hook, now, now],
  );
  await runSql(service.service, `INSERT INTO webhook_pause (webhook_id, operator) VALUES (?, ?)`, hook, now);
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${deliveries})`;
  const id = `substr(webhook.id, 1, 2) || 'd' || printf('%023d', i)`;
  for (const insert of [
    `webhook_delivery (id, webhook_id, type, message, created, due, ready, failed, last_failure)
     SELECT ${id}, webhook.id, 'data', '{"payload":{}}', ${now} - i, ${now} + 3600000, ${now} + 3600000, 1, ${now}`,
    `webhook_attempt (id, delivery_id, webhook_id, type, started, ended, outcome, status, counted)
     SELECT 'a' || i, ${id}, webhook.id, 'data', ${now}, ${now}, 'status', 500, 1`,
  ])
    await runSql(service.service, `${numbers} INSERT INTO ${insert} FROM n, webhook`);
  return { service, session, game, deck, card, hook, delivery };
}

/** Copies a card, and numbers the names and ids of the copies. */
async function multiply(
  { service }: TestService,
  card: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const same =
    'date_created, date_updated, deck_id, quantity, has_proofed_face, has_proofed_back, back_from, class_number';
  await runSql(
    service,
    `WITH RECURSIVE n(i) AS (SELECT ${from} + 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
     INSERT INTO card (id, name, ${same}) SELECT substr(c.id, 1, 2) || printf('%024d', i), 'Card ' || i, ${same} FROM card c, n WHERE c.id = ?`,
    card,
  );
}

async function readPages(stage: Stage, { turns, slice, pages: { cards, deliveries } }: Extent): Promise<BenchResult> {
  const { service, session, game, deck, card, hook, delivery } = stage;
  const { get } = visitorOf(service.address, session);
  const paths: Readonly<Record<string, string>> = {
    overview: '',
    'web hooks': '/webhooks',
    'a web hook': `/webhooks/${hook}`,
    'a delivery': `/webhooks/${hook}/deliveries/${delivery}`,
    users: '/users',
    sessions: '/sessions',
    'audit log': '/audit',
    schema: '/schema',
    'list of 25': '/records/card',
    'list of 100': '/records/card?_items_per_page=100',
    'list of 100, sorted by name': '/records/card?_items_per_page=100&_order_by=name',
    'search in a list': '/records/card?q=Card+4',
    'find a name': '/find?q=Card+4',
    'a record': `/records/card/${card}`,
    'a list of a record': `/records/deck/${deck}/lists/cards`,
    'deletion of a record with all of these': `/records/game/${game}/delete`,
  };
  const rows: (readonly [string, number, number])[] = [];
  for (const [what, path] of Object.entries(paths)) {
    const times: number[] = [];
    let bytes = 0;
    const end = performance.now() + turns * slice;
    while (times.length < 3 || performance.now() < end) {
      const before = process.cpuUsage();
      const { status, text } = await get(`/console${path}`);
      const { user, system } = process.cpuUsage(before);
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`);
      bytes = text.length;
      times.push((user + system) / 1000);
    }
    rows.push([what, median(times), bytes]);
  }
  return {
    name: 'pages',
    note: `${cards} cards in a deck and ${deliveries} deliveries of a web hook; milliseconds of a processor, the median, with those of the client, which is in the same process`,
    table: [
      ['page of operators', 'processor time, ms', 'KiB'],
      ...rows.map(([what, time, bytes]) => [what, time.toFixed(1), String(Math.round(bytes / 1024))]),
    ],
    reached: { 'slowest page of operators: processor time, ms': Math.max(...rows.map(([, time]) => time)) },
  };
}

/** Fetches go on while all cards are exported. */
async function exportBeside({ service, session, game }: Stage, exported: number): Promise<BenchResult> {
  const send = clientOf(service.address);
  const fetched = async (): Promise<number> => {
    const began = performance.now();
    const { status } = await send('GET', `/api/game/${game}`, { session });
    if (status !== 200) throw new Error(`a fetch was answered with ${status}`);
    return performance.now() - began;
  };
  for (let warm = 0; warm < 200; warm += 1) await fetched();
  const [before, began] = [process.memoryUsage.rss(), performance.now()];
  const times: number[] = [];
  let most = before;
  let isOver = false;
  const download = linesOf(`${service.address}/console/records/card/export?format=csv`, session).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    times.push(await fetched());
    most = Math.max(most, process.memoryUsage.rss());
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const lines = await download;
  if (lines < exported) throw new Error(`${lines} lines of ${exported} cards came`);
  times.sort((one, other) => one - other);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
  const seconds = (performance.now() - began) / 1000;
  return {
    name: 'export',
    note: 'an operator exports all cards as CSV, while others fetch a game; the client is in the same process',
    table: [
      ['cards', 'seconds', 'more memory, MiB', 'fetches', 'p50, ms', 'p95, ms', 'longest, ms'],
      [
        ...[String(exported), seconds.toFixed(0), ((most - before) / MIB).toFixed(0), String(times.length)],
        ...[at(0.5), at(0.95), times.at(-1) ?? 0].map((time) => time.toFixed(1)),
      ],
    ],
    reached: { 'fetch beside an export: p95, ms': at(0.95) },
  };
}

/** Counts the lines without keeping the text. */
function linesOf(address: string, session: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { cookie: `punchboard_console=${session}` } }, (response) => {
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === 0x0a) lines += 1;
      });
      response.once('end', () => resolve(lines));
      response.once('error', reject);
    }).once('error', reject);
  });
}
