// Parts of an engine that only the operators' pages need, or a project with versions of its API. They are loaded when they are
// needed; `server/later-modules` sees to it that they can still be loaded while the server runs.
import type { AnyDefinition } from '../../contract/definition.js';
import { memoize } from '../../contract/memoize.js';
import type { Upkeep } from '../engine.js';
import type { Database } from '../unit.js';

export const STORE_PARTS = {
  find: () => require('./find.js') as typeof import('./find.js'),
  removedWith: () => require('./removed-with.js') as typeof import('./removed-with.js'),
  figures: () => require('../figures.js') as typeof import('../figures.js'),
  remembered: () => require('../remembered.js') as typeof import('../remembered.js'),
} as const;

/** The part of the upkeep that is composed at its first use. */
export function createOptionalUpkeep(
  database: Database,
  definitions: readonly AnyDefinition[],
): Pick<Upkeep, 'countRemembered' | 'addFigures' | 'figures'> {
  const figureLog = memoize((_: 'all') => STORE_PARTS.figures().createFigureLog(database));
  const count = memoize((_: 'all') => STORE_PARTS.remembered().createCountRemembered(database, definitions));
  return {
    countRemembered: (now) => count('all')(now),
    addFigures: (figures) => figureLog('all').addFigures(figures),
    figures: (since) => figureLog('all').figures(since),
  };
}
