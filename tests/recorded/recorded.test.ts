// The service still answers a recorded run of 2,000 requests as it did when it was recorded.

import { readFileSync } from 'node:fs';
import { digestOf } from './document-digest.js';
import type { Exchange } from './exchange.js';
import { digestFile, readRun, WIRES } from './recordings.js';
import { type RecordedWorld, startWorld } from './world.js';

/** The document may change its texts, and with them its tag; what it offers has a test of its own. */
function compared({ path }: Exchange['request'], answer: Exchange['answer']): unknown {
  if (!path.startsWith('/openapi.json')) return answer;
  return { status: answer.status, headers: Object.keys(answer.headers) };
}

describe.each(WIRES)('%s', (wire) => {
  let world: RecordedWorld;
  beforeAll(async () => {
    world = await startWorld(wire);
  });
  afterAll(() => world.close());

  test('every answer has the recorded status, headers, keys in order and values', async () => {
    const different: string[] = [];
    const run = readRun(wire);
    for (const [at, { request, answer }] of run.entries()) {
      const now: Exchange = { request, answer: await world.exchange(request) };
      const [before, after] = [answer, now.answer].map((one) => JSON.stringify(compared(request, one)));
      if (before !== after) different.push(`${at}: ${JSON.stringify(request)}\n- ${before}\n+ ${after}`);
    }
    expect(run).toHaveLength(1000);
    expect(different.slice(0, 5)).toEqual([]);
  });

  test('the API document offers the recorded operations and schemas', async () => {
    expect(digestOf(await world.document())).toEqual(JSON.parse(readFileSync(digestFile(wire), 'utf8')));
  });
});
