// Has every engine that is opened from now on answer later. Imported before anything that opens one.

import type { Engine, EngineOptions } from '../../runtime/store/engine.js';
import type * as OpenEngine from '../../runtime/store/open-engine.js';
import type { asynchronous } from '../support/asynchronous.js';

/** Whether engines that are opened are asynchronous. */
export const mockEngines = { asynchronous: true };

jest.mock('../../runtime/store/open-engine.js', () => {
  const actual = jest.requireActual<typeof OpenEngine>('../../runtime/store/open-engine.js');
  const double = jest.requireActual<{ asynchronous: typeof asynchronous }>('../support/asynchronous.js');
  const openEngine = async (options: EngineOptions, now: number): Promise<Engine> => {
    const engine = await actual.openEngine(options, now);
    return mockEngines.asynchronous ? double.asynchronous(engine) : engine;
  };
  return { ...actual, openEngine };
});
