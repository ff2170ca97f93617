// An engine whose methods all answer in a later turn of the event loop, and copy their parameters and results, like a database
// on another machine. Code that works with it relies on nothing but the interface.
import type { Engine } from '../../runtime/store/engine.js';
import type { Outbox } from '../../runtime/store/outbox.js';

/** The only method that takes functions, which cannot be copied. */
const AS_IT_IS: ReadonlySet<string> = new Set(['onDue']);

/** Calls are executed in order. The parts that tests see behind the interface are unchanged. */
export function asynchronous(engine: Engine): Engine {
  return {
    ...engine,
    records: delayed(engine.records),
    identity: delayed(engine.identity),
    files: delayed(engine.files),
    outbox: engine.outbox && asynchronousOutbox(engine.outbox),
    schema: delayed(engine.schema),
    upkeep: delayed(engine.upkeep),
    close: async () => later(engine.close)() as Promise<void>,
  };
}

/** An outbox that behaves like that of such an engine. */
export function asynchronousOutbox<T extends Outbox>(outbox: T): T {
  return delayed(outbox);
}

type Method = (...parameters: readonly unknown[]) => unknown;

function delayed<T extends object>(part: T): T {
  const methods = Object.entries(part).map(([name, method]) => [name, AS_IT_IS.has(name) ? method : later(method)]);
  return Object.fromEntries(methods);
}

/** Copying fails on anything that is not data. */
function later(method: unknown): Method {
  return async (...parameters) => {
    const copies = structuredClone(parameters);
    await new Promise((resolve) => setImmediate(resolve));
    const answer = structuredClone(await (method as Method)(...copies));
    await new Promise((resolve) => setImmediate(resolve));
    return answer;
  };
}
