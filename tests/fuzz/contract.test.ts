// F33, F34: the responses of the service conform to its API document, in both wire profiles.

import { seedOfRun } from '../support/chance.js';
import { count } from '../support/counts.js';
import { contractOf, type Document } from './contract.js';
import { endpointsOfDocument } from './document-endpoints.js';
import { fuzz } from './run.js';
import { createWorld, type World } from './world.js';

/** The short form starts from a seed whose requests once failed. */
const seed = seedOfRun(31_354_501);
let world: World | null = null;

afterEach(() => world?.server.end());

async function startWorld(wire: string): Promise<{ readonly world: World; readonly document: Document }> {
  world = await createWorld(['--wire', wire]);
  const document = (await (await fetch(`${world.server.address}/openapi.json`)).json()) as Document;
  return { world, document };
}

test.each(['plain', 'wing'])('F33, F34: the %s profile answers as its document says', async (wire) => {
  const service = await startWorld(wire);
  const contract = contractOf(service.document);
  const endpoints = endpointsOfDocument(service.document);
  const { requests, wrong } = await fuzz(service.world, { requests: count(2250, 60_000), seed, endpoints, contract });
  console.log(`${wire}: ${requests} requests, PUNCHBOARD_SEED=${seed}, ${contract.seen.size} answers told apart`);
  expect(wrong).toEqual([]);
  // Most operations were requested and many succeeded; which of them is random.
  const operations = Object.values(service.document.paths).flatMap((item) => Object.values(item)).length;
  const named = (status: RegExp) =>
    new Set([...contract.seen].filter((line) => status.test(line)).map((line) => line.split(' ')[0])).size;
  expect(named(/ \d{3}$/)).toBeGreaterThan(operations * 0.75);
  expect(named(/ 20\d$/)).toBeGreaterThan(operations * 0.15);
});

test('a document that contradicts the service is detected (null control)', async () => {
  const { world: service, document } = await startWorld('plain');
  const incomplete = structuredClone(document) as unknown as { components: Record<string, Record<string, Json>> };
  interface Json {
    headers: Record<string, unknown>;
    properties: Record<string, unknown>;
  }
  delete incomplete.components.responses?.not_found?.headers['X-Request-Id'];
  delete incomplete.components.schemas?.boxtop?.properties.quantity;
  const contract = contractOf(incomplete as unknown as Document);
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => /^\/api\/boxtop\b/.test(path)));
  const endpoints = endpointsOfDocument({ ...document, paths });
  const { wrong } = await fuzz(service, { requests: 300, seed, endpoints, contract });
  expect(wrong.join('\n')).toMatch(/x-request-id is not documented|must NOT have additional properties/);
});
