// Requests that are under way at the same time, however fast the engine is: the engine executes none of them before each has
// either reached it or been answered.
import type { RunningServer } from '../../runtime/server/main.js';
import type { Records } from '../../runtime/store/records.js';

const HELD = ['create', 'createAll', 'act', 'copy'] as const satisfies readonly (keyof Records)[];

/** @returns the answers; nothing is held back where another process executes the requests */
export async function heldBack<T>(
  { service }: RunningServer,
  many: number,
  ask: () => Promise<T>,
): Promise<readonly T[]> {
  const records = service.engine.records as Record<(typeof HELD)[number], (...args: never[]) => unknown>;
  const before = HELD.map((name) => [name, records[name]] as const);
  let waiting = many;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrived = (): void => {
    waiting -= 1;
    if (waiting === 0) open();
  };
  for (const [name, work] of before) {
    records[name] = async (...given) => {
      arrived();
      await gate;
      return work.apply(records, given);
    };
  }
  try {
    const answers = new Set<Promise<T>>();
    for (let at = 0; at < many; at++) answers.add(ask());
    for (const answer of answers) void answer.then(arrived, arrived);
    return await Promise.all(answers);
  } finally {
    Object.assign(records, Object.fromEntries(before));
  }
}
