// Suites share the modules that they test and nothing else: jest runs some that leave traces, one after the other in one process.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, temporaryFolder } from './support/paths.js';

const IDS = JSON.stringify(join(ROOT, 'dist', 'runtime', 'contract', 'ids.js'));

/** Finds no trace of another run of itself and leaves all that it knows of, except that it counts its runs in a module. */
const TRACES = `
  const ids = require(${IDS});
  const beside = require('./beside.js');
  test('finds no trace', () => {
    expect([process.env.TRACE, global.trace, beside.trace, ids.createIds.mock]).toEqual([undefined, undefined, undefined, undefined]);
    expect([process.listenerCount('SIGUSR2'), process.cwd(), Date.now() > 1, jest.isMockFunction(process.exit)])
      .toEqual([0, ${JSON.stringify(ROOT)}, true, false]);
    expect(process.exitCode).not.toBe(3);
    ids.createIds.runs = (ids.createIds.runs ?? 0) + 1;
    process.env.TRACE = global.trace = beside.trace = 'left';
    process.on('SIGUSR2', () => undefined);
    process.chdir('/');
    process.exitCode = 3;
    process.exit = jest.fn();
    jest.spyOn(ids, 'createIds');
    jest.useFakeTimers({ now: 1 });
  });
`;

const FILES: Readonly<Record<string, string>> = {
  'beside.js': '',
  'traces-1.test.js': TRACES,
  'traces-2.test.js': TRACES,
  'shared.test.js': `test('counted in one module', () => expect(require(${IDS}).createIds.runs).toBe(2));`,
  'changes.test.js': `test('stays', () => { require(${IDS}).createIds = () => null; });`,
  'unchanged.test.js': `test('is put back', () => expect(require(${IDS}).createIds(() => [])).not.toBeNull());`,
  'uncaught.test.js': `test('ends', () => new Promise((resolve) => setImmediate(() => { setImmediate(resolve); throw new Error('nobody catches me'); })));`,
  'mocks.test.js': `jest.mock(${IDS});\ntest('never runs', () => undefined);`,
};

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

function report(): Report & { readonly status: number | null } {
  const folder = temporaryFolder('shared-modules');
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  // In this order.
  const order = `module.exports = class { sort(tests) { const names = ${JSON.stringify(Object.keys(FILES))};
    const at = ({ path }) => names.indexOf(path.split('/').pop()); return [...tests].sort((a, b) => at(a) - at(b)); } shard(tests) { return tests; }
    allFailedTests(tests) { return tests; } cacheResults() {} };`;
  writeFileSync(join(folder, 'order.js'), order);
  const support = join(ROOT, 'dist', 'tests', 'support');
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.js'],
    transform: {},
    runtime: join(support, 'shared-runtime.js'),
    testEnvironment: join(support, 'shared-environment.js'),
    testSequencer: join(folder, 'order.js'),
  };
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const parameters = [jest, '--runInBand', '--json', '--config', JSON.stringify(config)];
  const { status, stdout } = spawnSync(process.execPath, parameters, { cwd: ROOT, encoding: 'utf8' });
  return { ...(JSON.parse(stdout) as Report), status };
}

test('a suite finds no trace of another; one that leaves a module changed, or asks for what has no effect, fails', () => {
  const { status, testResults } = report();
  const outcomes = Object.fromEntries(
    testResults.map(({ name, status: one, message }) => [basename(name), { one, message }]),
  );
  const passed = { one: 'passed', message: '' };
  expect(outcomes).toEqual({
    'traces-1.test.js': passed,
    'traces-2.test.js': passed,
    'shared.test.js': passed,
    'changes.test.js': { one: 'failed', message: expect.stringContaining('leaves modules changed for others') },
    'unchanged.test.js': passed,
    'uncaught.test.js': { one: 'failed', message: expect.stringContaining('nobody catches me') },
    'mocks.test.js': { one: 'failed', message: expect.stringContaining('jest.mock has no effect') },
  });
  expect(status).toBe(1);
});
