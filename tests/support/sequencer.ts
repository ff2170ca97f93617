// Jest's order of the test files: those that take longest first. Jest knows durations only from earlier runs; on a fresh
// clone it starts with the longest texts, and the last minute belongs to one slow file with a short text.
import Sequencer from '@jest/test-sequencer';

type Tests = Parameters<Sequencer['sort']>[0];

/** Files of 8 seconds and more, the slowest first; all others in Jest's order. */
const SLOWEST = [
  'domains/domains',
  'webhooks/crash',
  'fuzz/contract',
  'fuzz/fuzz',
  'impact/pairs',
  'webhooks/model',
  'generator/incremental',
  'crash/crash',
  'maintainer/library',
  'mutate/mutate',
  'generator/edits',
  'cli/serve',
  'generator/hand-edits',
  'generator/generate',
  'generator/openapi-lint',
  'cli/webhooks',
  'maintainer/functions',
  'domains/correct',
];

export default class SlowestFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const rest = await super.sort(tests);
    const first = SLOWEST.flatMap((name) => rest.filter(({ path }) => path.endsWith(`/tests/${name}.test.js`)));
    return [...first, ...rest.filter((test) => !first.includes(test))];
  }
}
