// Jest's order of the test files: the slowest first. Jest knows durations only from earlier runs; on a fresh clone it starts with
// the largest files, and would spend the last minute on one slow but small file. A compiled test without a source is left out,
// since the compiler does not delete it.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { ROOT } from './paths.js';

type Tests = Parameters<Sequencer['sort']>[0];

/** Files of 10 seconds and more beside the other suites of CI, the slowest first; all others are in Jest's order. */
const SLOWEST = [
  'versions/evolution',
  'lab/faults/faults',
  'console/tasks',
  'domains/correct',
  'recorded/recorded',
  'postgres/crash',
  'client/every-operation',
  'impact/pairs',
  'migrate/postgres/steps',
  'console/browser',
  'fuzz/contract',
  'upgrade/upgrade',
  'copy/copy',
  'cli/examples',
  'impact/git',
  'commands/init',
  'migrate/values',
  'server/code-cache',
  'schema/postgres-plan',
  'console/docs',
  'client/package',
  'lab/faults/modules',
  'webhooks/receivers',
  'webhooks/model',
  'service/quota',
  'portal/browser',
  'postgres/generated',
  'cli/serve',
  'engine/records',
  'service/passwords',
  'access/matrix',
  'migrate/kinds',
  'webhooks/send/hostile',
  'processes/processes',
  'migrate/cells',
  'webhooks/crash',
  'engine/outbox-outcomes',
  'mutate/mutate',
  'backup/backup',
  'migrate/fills',
  'service/lists',
  'engine/outbox-publish',
  'service/examples',
  'generator/incremental',
  'cli/watch',
  'generator/openapi-examples',
  'crash/crash',
  'postgres/recorded',
  'domains/forms',
  'generator/generate',
  'readme/examples',
  'hops/hops',
  'migrate/postgres/schema-migrator',
  'maintainer/functions',
  'store/postgres/connections',
  'domains/domains',
  'lab/power/power',
  'generator/ledger',
  'postgres/webhooks',
  'migrate/kill',
  'engine/versions',
];

export default class SlowestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const rest = (await super.sort(tests)).filter(({ path }) => existsSync(sourceOf(path)));
    const first = SLOWEST.flatMap((name) => rest.filter(({ path }) => path.endsWith(`/tests/${name}.test.js`)));
    return [...first, ...rest.filter((test) => !first.includes(test))];
  }
}

function sourceOf(path: string): string {
  return join(ROOT, relative(join(ROOT, 'dist'), path)).replace(/\.js$/, '.ts');
}
