// Jest's global setup: with PUNCHBOARD_BUSY=1, two processes that only count run beside the suite, until it has ended.

import { type ChildProcess, spawn } from 'node:child_process';

const COUNTERS = 2;

/** Counts in slices, and ends with whoever started it, however that ends. */
const COUNT = `
  let counted = 0;
  const slice = () => {
    for (const end = counted + 1e8; counted < end; counted += 1);
    setImmediate(slice);
  };
  process.on('disconnect', () => process.exit());
  slice();
`;

/** Starts the counters; without the variable it does nothing. */
export default function setup(): void {
  if (process.env.PUNCHBOARD_BUSY !== '1') return;
  for (let each = 0; each < COUNTERS; each += 1) unreferenced(spawnCounter());
}

function spawnCounter(): ChildProcess {
  return spawn(process.execPath, ['-e', COUNT], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

/** Nobody waits for it. */
function unreferenced(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}
