// Requests that are under way at the same time, however fast the engine is: none of them is carried out before each has either
// reached the engine or been answered.
import type { RunningServer } from '../../runtime/server/main.js';
import type { Records } from '../../runtime/store/records.js';

const HELD = ['create', 'createAll', 'act', 'copy'] as const satisfies readonly (keyof Records)[];

/** @returns the answers; where another process carries out what is asked, nothing is held back */
export async function heldBack<T>(
  { service }: RunningServer,
  many: number,
  ask: () => Promise<T>,
): Promise<readonly T[]> {
  const records = service.engine.records as Record<(typeof HELD)[number], (...given: never[]) => unknown>;
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
    const held = new Set<Promise<T>>();
    for (let at = 0; at < many; at++) held.add(ask());
    for (const one of held) void one.then(arrived, arrived);
    return await Promise.all(held);
  } finally {
    Object.assign(records, Object.fromEntries(before));
  }
}
