// Declares the tests that replay the recorded runs. Holds none itself.

import { readFileSync } from 'node:fs';
import { type Contract, contractOf, type Document } from '../fuzz/contract.js';
import { digestOf } from './document-digest.js';
import type { Exchange, RawAnswer, RecordedRequest } from './exchange.js';
import { digestFile, readRun } from './recordings.js';
import { type RecordedWorld, startWorld, type Wire } from './world.js';

export function replays(wires: readonly Wire[]): void {
  describe.each(wires)('%s', replay);
}

function replay(wire: Wire): void {
  let world: RecordedWorld;
  let contract: Contract;
  const violations: string[] = [];
  beforeAll(async () => {
    world = await startWorld(wire, (request, answer) => violations.push(...violationsOf(contract, request, answer)));
    contract = contractOf((await world.document()) as Document);
  });
  afterAll(() => world.close());

  test('every response has the recorded status, headers, order of keys, and values', async () => {
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

  test('every response of the run conforms to the API document', () => {
    expect(contract.seen.size).toBeGreaterThan(300);
    expect(violations).toEqual([]);
  });

  test('the API document offers the recorded operations and schemas', async () => {
    expect(digestOf(await world.document())).toEqual(JSON.parse(readFileSync(digestFile(wire), 'utf8')));
  });
}

/** The text of the document and its tag may change; a separate test covers what it offers. */
function compared({ path }: Exchange['request'], answer: Exchange['answer']): unknown {
  if (!path.startsWith('/openapi.json')) return answer;
  return { status: answer.status, headers: Object.keys(answer.headers) };
}

/** How the response contradicts the document; a tunnelled request counts as one of the intended method (D12). */
function violationsOf(contract: Contract, request: RecordedRequest, answer: RawAnswer): readonly string[] {
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  return contract.violations(
    { method: request.headers?.['x-http-method'] ?? request.method, path: request.path.replace(/\?.*$/, '') },
    { status: answer.status, head: ['HTTP/1.1', ...head].join('\r\n'), body: answer.text },
  );
}
