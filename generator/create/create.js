#!/usr/bin/env node
// `npm create punchboard [folder]`: `punchboard init` of the version that it depends on.

const { spawnSync } = require('node:child_process');
const { dirname, join } = require('node:path');

const program = join(dirname(require.resolve('punchboard/package.json')), 'dist', 'generator', 'bin.js');
const { status } = spawnSync(process.execPath, [program, 'init', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
