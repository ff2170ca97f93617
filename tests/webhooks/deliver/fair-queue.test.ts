// The fair queue against a model that knows only the rules: no hook twice, no slot lost, hosts and capacity bounded.

import fc from 'fast-check';
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
  type ReceiverHealth,
} from '../../../runtime/webhooks/deliver/fair-queue.js';

const STANDINGS: readonly (ReceiverHealth | null)[] = ['good', 'untried', 'failing', null];
const CAPACITY = 8;
const PER_HOST = 2;
const HOOKS = 12;

/** A step of a random history: add a hook, take hooks, or end the attempt with that index among those under way. */
type Step = readonly ['add', number] | readonly ['take'] | readonly ['end', number, ReceiverHealth | null];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.constant('add' as const), fc.nat(HOOKS - 1)),
  fc.tuple(fc.constant('take' as const)),
  fc.tuple(fc.constant('end' as const), fc.nat(CAPACITY), fc.constantFrom(...STANDINGS)),
);

const hostOf = (hook: string) => `host ${Number(hook) % 3}`;

interface TestQueueOptions extends Partial<Omit<FairQueueOptions, 'hostsOf'>> {
  readonly hostOf?: (hook: string) => string;
}

function queueOf({ hostOf, ...parts }: TestQueueOptions = {}) {
  const hosts = hostOf && { hostsOf: (hooks: readonly string[]) => hooks.map(hostOf) };
  return createFairQueue({ capacity: CAPACITY, ...parts, ...hosts });
}

/** Takes and ends hooks until none is left. Returns how often each hook was taken. */
async function drain(queue: FairQueue, underWay: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number>();
  let busy = underWay;
  do {
    for (const hook of busy) queue.end(hook, 'good');
    busy = await queue.take();
    for (const hook of busy) taken.set(hook, (taken.get(hook) ?? 0) + 1);
  } while (busy.length > 0);
  return taken;
}

test('F11: whatever is remembered or forgotten, no hook is taken twice and no slot leaks', () => {
  const history = async (steps: readonly Step[], memory: number): Promise<void> => {
    const queue = queueOf({ memory, hostOf, perHost: PER_HOST });
    const waiting = new Set<string>();
    let busy: readonly string[] = [];
    for (const [action, at = 0, standing = null] of steps) {
      if (action === 'add') {
        queue.add([String(at)]);
        if (!busy.includes(String(at))) waiting.add(String(at));
      } else if (action === 'take') {
        const taken = await queue.take();
        for (const hook of taken) expect([waiting.delete(hook), busy.includes(hook)]).toEqual([true, false]);
        busy = [...busy, ...taken];
        expect(busy.length).toBeLessThanOrEqual(CAPACITY);
        for (const hook of busy) {
          expect(busy.filter((other) => hostOf(other) === hostOf(hook)).length).toBeLessThanOrEqual(PER_HOST);
        }
      } else {
        const hook = busy[at % Math.max(1, busy.length)];
        if (hook !== undefined) queue.end(hook, standing);
        busy = busy.filter((other) => other !== hook);
      }
    }
    // Everything that waits is taken once in the end, so nothing was lost and every slot came back.
    expect(await drain(queue, busy)).toEqual(new Map([...waiting].map((hook) => [hook, 1])));
    const fresh = Array.from({ length: HOOKS }, (_, hook) => `new ${hook}`);
    queue.add(fresh);
    expect(await roomOf(queue)).toBe(CAPACITY / 4);
  };
  return fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 300, size: 'max' }), fc.integer({ min: 1, max: 3 }), history),
    {
      numRuns: 100,
    },
  );
});

/** How many untried hooks are taken together: their share of the capacity, when nothing leaks. */
async function roomOf(queue: FairQueue): Promise<number> {
  return (await queue.take()).length;
}

test('F11: a waiting hook is queued once, even if it is no longer in the memory of the queue', async () => {
  const queue = queueOf({ memory: 1 });
  queue.add(['a']);
  expect(await queue.take()).toEqual(['a']);
  queue.end('a', 'good');
  queue.add(['a', 'b']);
  expect(await queue.take()).toEqual(['a', 'b']);
  queue.end('a', 'good');
  queue.add(['a']);
  // b takes a's place in memory while a waits among the good ones.
  queue.end('b', 'failing');
  queue.add(['a']);
  expect(await queue.take()).toEqual(['a']);
});

test('F28: hooks of one host share a limit, and leave the rest of the capacity to others', async () => {
  const queue = queueOf({ capacity: 400, perHost: 32, hostOf: (hook) => hook.replace(/\d+$/, '') });
  const crowd = Array.from({ length: 1000 }, (_, at) => `crowd${at}`);
  queue.add(crowd);
  queue.add(['other1', 'other2']);
  const taken = await queue.take();
  expect(taken).toHaveLength(34);
  expect(taken.slice(-2)).toEqual(['other1', 'other2']);
  expect([queue.ready(), await queue.take()]).toEqual([false, []]);
  queue.end('crowd0', 'failing');
  expect(await queue.take()).toEqual(['crowd32']);
});

test('F28: a hook whose address changed while its host was full is not lost', async () => {
  let host = 'full';
  const queue = queueOf({ perHost: 1, hostOf: () => host });
  queue.add(['a', 'b', 'c']);
  expect(await queue.take()).toEqual(['a']);
  host = 'elsewhere';
  queue.end('a', 'good');
  expect(await queue.take()).toEqual(['b']);
  queue.end('b', 'good');
  expect(await queue.take()).toEqual(['c']);
});
