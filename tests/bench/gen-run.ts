// One run of gen in a process of its own: prints its output, its peak memory in KiB and its processor time in microseconds.

import { gen } from '../../generator/commands/gen.js';

const [spec = '', out = ''] = process.argv.slice(2);
const { code, stdout, stderr } = gen({ spec, out, check: false, stats: true });
process.stderr.write(stderr);
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
process.stdout.write(`${stdout}peak ${maxRSS}, processor ${userCPUTime + systemCPUTime}\n`);
process.exitCode = code;
