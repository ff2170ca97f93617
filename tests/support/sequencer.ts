// Jest's order of the test files: those that take longest first. Jest knows durations only from earlier runs; on a fresh
// clone it starts with the longest texts, and the last minute belongs to one slow file with a short text. A test whose source
// is gone is left out: the compiler does not delete what it once made of it.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { ROOT } from './paths.js';

type Tests = Parameters<Sequencer['sort']>[0];

/** Files of 5 seconds and more on an idle machine, the slowest first; all others in Jest's order. */
const SLOWEST = [
  'client/every-operation',
  'console/docs',
  'fuzz/contract',
  'mutate/mutate',
  'console/browser',
  'copy/copy',
  'domains/domains',
  'backup/backup',
  'generator/incremental',
  'generator/openapi-lint',
  'webhooks/crash',
  'store/postgres/connections',
  'cli/webhooks',
  'impact/pairs',
  'postgres/crash',
  'fuzz/fuzz',
  'cli/serve',
  'webhooks/send/hostile',
  'postgres/http',
  'container/container',
  'recorded/recorded',
  'generator/edits',
  'crash/crash',
  'generator/hand-edits',
  'maintainer/functions',
  'needs/check',
  'migrate/kinds',
  'domains/correct',
  'webhooks/model',
  'generator/generate',
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
