// Tells V8 that a command ends soon: it then optimizes a function only once that has run 15 times as long as usual. Of the
// processor time of gen, optimizing took two fifths with 24 types (Node 20), and a sixth with 1,000, for code that was
// hardly called again.

import { setFlagsFromString } from 'node:v8';

/** By major version of Node, because each has its own flag; later versions gain nothing from one. */
const LATER: Readonly<Record<string, string>> = {
  20: '--interrupt-budget=1000000',
  22: '--invocation-count-for-turbofan=45000',
};

/** Takes effect for code that has not run yet. */
export function expectShortRun(): void {
  const flag = LATER[process.versions.node.split('.', 1)[0] ?? ''];
  if (flag !== undefined) setFlagsFromString(flag);
}
