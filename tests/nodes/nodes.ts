// `npm run nodes`: tries Node 22 and 24, while everything else runs on the installed version.

import { installNode } from './install.js';
import { PROMISED } from './promised.js';
import { walk } from './walk.js';

async function main(): Promise<void> {
  let failures = 0;
  for (const wanted of PROMISED) {
    const installed = installNode(wanted);
    if ('reason' in installed) {
      process.stdout.write(`NOT TRIED: Node ${wanted} cannot be had here: ${installed.reason}\n`);
      continue;
    }
    try {
      await walk(installed);
      process.stdout.write(`Node ${installed.version}: gen, start, create, upload, web hook and stop\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`FAIL Node ${installed.version}: ${(error as Error).message}\n`);
    }
  }
  process.exitCode = failures === 0 ? 0 : 1;
}

void main();
