// Jest's order of the test files: the slowest first. Jest knows durations only from earlier runs; on a fresh clone it starts
// with the longest files, and would spend the last minute on one slow file with a short text. A compiled test without a source
// is left out, since the compiler does not delete it.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { ROOT } from './paths.js';

type Tests = Parameters<Sequencer['sort']>[0];

/** Files of 5.5 seconds and more in a whole run, the slowest first; all others are in Jest's order. */
const SLOWEST = [
  'lab/faults/faults',
  'console/tasks',
  'console/browser',
  'console/docs',
  'upgrade/upgrade',
  'fuzz/contract',
  'client/every-operation',
  'domains/correct',
  'commands/init',
  'versions/evolution',
  'readme/examples',
  'cli/examples',
  'portal/browser',
  'copy/copy',
  'mutate/mutate',
  'domains/domains',
  'maintainer/lending',
  'backup/backup',
  'generator/incremental',
  'service/full-disk',
  'recorded/recorded',
  'crash/crash',
  'migrate/branches',
  'project/project',
  'project/identity',
  'lab/faults/modules',
  'postgres/crash',
  'store/postgres/connections',
  'promises/every-operation',
  'twosidedset',
  'game',
  'postgres/locked',
  'lab/faults/descriptors',
  'schema/postgres-plan',
  'impact/pairs',
  'migrate/postgres/steps',
  'webhooks/send/hostile',
  'server/code-cache',
  'http/costs',
  'cli/serve',
  'cli/file-modes',
  'maintainer/functions',
  'migrate/kinds',
  'judges/judges',
  'postgres/http',
  'migrate/postgres/schema-migrator',
  'processes/rights',
  'webhooks/crash',
  'needs/check',
  'processes/processes',
  'service/examples',
  'generator/hand-edits',
  'postgres/generated',
  'access/matrix',
  'postgres/recorded',
  'generator/openapi-examples',
  'generator/openapi-lint',
  'generator/generate',
  'webhooks/readme',
  'maintainer/library',
  'needs/start',
  'webhooks/model',
  'migrate/kill',
  'migrate/cells',
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
