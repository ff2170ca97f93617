// Makes every engine that is opened from now on answer later. Imported by a test file, for all of its tests.

import * as open from '../../runtime/store/open-engine.js';
import { asynchronous } from '../support/asynchronous.js';

/** Whether engines that are opened are asynchronous. */
export const replaced = { asynchronous: true };

const { openEngine } = open;
jest.spyOn(open, 'openEngine').mockImplementation(async (options, now) => {
  const engine = await openEngine(options, now);
  return replaced.asynchronous ? asynchronous(engine) : engine;
});
