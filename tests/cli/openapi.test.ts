// `punchboard openapi` prints the document of a profile, as a server with that profile serves it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder } from '../support/paths.js';
import { startService } from '../support/service.js';
import { run } from './processes.js';

test.each(['plain', 'wing'] as const)('F34: openapi --wire %s prints what such a server serves', async (wire) => {
  const { code, stdout, stderr } = await run(['openapi', '--wire', wire], temporaryFolder('openapi'));
  expect([code, stderr]).toEqual([0, '']);
  const service = await startService({ wire });
  const served = await fetch(`${service.address}/openapi.json`);
  expect(await served.text()).toBe(stdout);
  await service.stop();
});

test('F34: without --wire it is the generated document', async () => {
  const { stdout } = await run(['openapi'], temporaryFolder('openapi'));
  expect(stdout).toBe(readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8'));
});

test('a folder that gen has not written is named', async () => {
  const folder = temporaryFolder('openapi');
  const { code, stderr } = await run(['openapi', '--generated', folder], folder);
  expect(code).toBe(1);
  expect(stderr).toMatch(/is missing: run \S+ \S+ gen --spec/);
});
