// GET /api/<resource>/_options: the allowed values by field, their titles and the sizes of identities (D24), computed at start.
import type { AnyDefinition } from '../contract/definition.js';
import type { Run } from './call.js';
import type { PlanOf } from './plan.js';
import { unknownNames } from './service.js';

/** Responds 200 with `{field: [values], _field: {value: title}, _sizes: {identity: size}}`, the same for every caller. */
export function optionsOperation(planOf: PlanOf): Run {
  return ({ definition, parameters }) => ({
    status: 200,
    body: planOf(definition).options,
    ignored: unknownNames(parameters),
  });
}

/** What a definition's `_options` responds; numbers need no titles. */
export function optionsOf({ options, titles = {}, sizes }: AnyDefinition): Readonly<Record<string, unknown>> {
  const titled = Object.entries(options).flatMap(([field, values]) => {
    const words = values.filter((value) => typeof value === 'string');
    const all = words.map((value) => [value, titles[field]?.[value] ?? wordsOf(value)] as const);
    return all.length === 0 ? [] : [[`_${field}`, Object.fromEntries(all)] as const];
  });
  return { ...options, ...Object.fromEntries(titled), ...(sizes === undefined ? {} : { _sizes: sizes }) };
}

/** `PokerTuckBox36` is `Poker Tuck Box 36`, `USGameDeck` is `US Game Deck`, `CustomColorD6` is `Custom Color D6`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=\p{N})/gu, ' ');
}
