// `npm run record`: creates the requests of the recorded run and stores them with their responses. With `-- --answers` it sends
// the recorded requests again and stores the new responses, which changes fewer lines; with `-- --document` it only records
// again what the API document offers.

import { mkdirSync, writeFileSync } from 'node:fs';
import { type Chance, chanceOf } from '../support/chance.js';
import { digestOf } from './document-digest.js';
import type { Exchange, RecordedAnswer } from './exchange.js';
import { type ApiDocument, requestTo, type Target, targetsOf, titlesOf } from './plan.js';
import { digestFile, FOLDER, readRun, runFile, WIRES } from './recordings.js';
import { type RecordedWorld, startWorld, type Wire } from './world.js';

/** In each profile, 2,000 in total. */
const REQUESTS = 1000;
const SEED = 20_261_122;

/** Parents come first, so that the rest of the run can refer to them. */
const FIRST = [
  'designer',
  'game',
  'designer',
  'game',
  'folder',
  'file',
  'file',
  'file',
  'apikey',
  'twosidedsluggedset',
  'onesidedsluggedset',
  'booklet',
  'coilbook',
];

async function record(wire: Wire, again: boolean): Promise<void> {
  const world = await startWorld(wire);
  try {
    const document = await world.document();
    writeFileSync(digestFile(wire), `${JSON.stringify(digestOf(document), null, 2)}\n`);
    if (process.argv.includes('--document')) return;
    const exchanges = (again ? await replay(world, wire) : await run(world, document as ApiDocument)).map(
      withoutDocument,
    );
    writeFileSync(runFile(wire), `${exchanges.map((one) => JSON.stringify(one)).join('\n')}\n`);
    console.log(`${wire}: ${exchanges.length} requests, answers by status ${JSON.stringify(byStatus(exchanges))}`);
  } finally {
    await world.close();
  }
}

/** Records a digest of the document, whose text would be most of the run. */
function withoutDocument({ request, answer }: Exchange): Exchange {
  return { request, answer: request.path.startsWith('/openapi.json') ? { ...answer, body: null } : answer };
}

async function replay(world: RecordedWorld, wire: Wire): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const { request, answer: known } of readRun(wire)) {
    const answer = await world.exchange(request);
    // The test does not compare the text of the document, which is long.
    exchanges.push({ request, answer: request.path.startsWith('/openapi.json') ? known : answer });
  }
  return exchanges;
}

async function run(world: RecordedWorld, document: ApiDocument): Promise<readonly Exchange[]> {
  const chance = chanceOf(SEED);
  const known = new Map<string, readonly string[]>([['user', PEOPLE_IDS]]);
  const titles = titlesOf(document);
  const exchanges: Exchange[] = [];
  for (const { target, sure } of ordered(targetsOf(document), chance)) {
    const request = requestTo(target, { known, titles, chance, people: world.people, sure });
    const answer = await world.exchange(request);
    exchanges.push({ request, answer });
    learn(target, answer, known);
  }
  return exchanges;
}

/** Parents, then each operation once, then random ones. */
function ordered(
  targets: readonly Target[],
  chance: Chance,
): readonly { readonly target: Target; readonly sure: boolean }[] {
  const first = FIRST.flatMap((name) =>
    targets.filter(({ method, path }) => method === 'POST' && path === `/api/${name}`),
  );
  const weighted = targets.map((one) => [weightOf(one), one] as const);
  const rest = Array.from({ length: REQUESTS - first.length - targets.length }, () => chance.weighted(weighted));
  return [
    ...first.map((target) => ({ target, sure: true })),
    ...[...targets, ...rest].map((target) => ({ target, sure: false })),
  ];
}

/** The names that `startWorld` gives to the ids of its people. */
const PEOPLE_IDS = ['<ada.1>', '<bob.1>', '<root.1>'];

/** Prefers creates and updates to each of the many lists. */
function weightOf({ method, path }: Target): number {
  if (method === 'POST' || method === 'PUT') return 3;
  if (method === 'DELETE') return 0.6;
  return path.endsWith('{id}') ? 2.5 : 0.4;
}

/** Remembers the id of a created record. */
function learn(
  { method, path }: Target,
  { status, body }: RecordedAnswer,
  known: Map<string, readonly string[]>,
): void {
  if (method !== 'POST' || status >= 300 || typeof body !== 'object' || body === null) return;
  const record = ('result' in body ? body.result : body) as { readonly id?: string } | number;
  const resource = /^(?:\/api)?\/(\w+)$/.exec(path)?.[1];
  if (resource === undefined || typeof record !== 'object' || record.id === undefined) return;
  known.set(resource, [...(known.get(resource) ?? []), record.id]);
}

function byStatus(exchanges: readonly Exchange[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { answer } of exchanges) counts[answer.status] = (counts[answer.status] ?? 0) + 1;
  return counts;
}

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  for (const wire of WIRES) await record(wire, process.argv.includes('--answers'));
}

void main();
