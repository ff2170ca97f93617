// Compares chains in a process of their own, whose memory ends with it: `node chains-child.js SEED CHAINS CUTS` writes what was
// compared as JSON.

import { createChains } from './chain.js';

const [seed = 0, chains = 0, cuts = 0] = process.argv.slice(2).map(Number);
createChains(cuts)(Array.from({ length: chains }, (_, at) => seed + at)).then(
  (compared) => process.stdout.write(JSON.stringify(compared), () => process.exit(0)),
  (error: Error) => process.stderr.write(`${error.stack}\n`, () => process.exit(1)),
);
