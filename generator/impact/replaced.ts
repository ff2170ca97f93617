// Detects a name that now stands for something else, which only the numbers of the ledger show.

import { draft, type ReadLocation } from './members.js';
import { visible } from './property-rules.js';
import type { Draft } from './report.js';
import { columnOf, type Sides } from './sides.js';

/** @param at where callers or receivers see the two resources, which have the same name */
export function replaced({ from, to }: Pick<Sides, 'from' | 'to'>, at: ReadLocation): readonly Draft[] {
  const other = (place: string, what: string, from: string, to: string | undefined): Draft => {
    const message = `${from} is another ${what} under the name of the old one${to === undefined ? '' : `, which is now called ${to}`}`;
    return draft({
      ...at,
      rule: 'replaced',
      breaking: true,
      place,
      where: [...new Set(at.where)],
      message,
      from,
      to: to ?? null,
    });
  };
  const { name } = to.resource;
  if (from.resource.number !== to.resource.number) {
    const now = to.model.resources.find((one) => one.number === from.resource.number)?.name;
    return [other(at.place, 'resource', name, now)];
  }
  const names = visible(to.resource).map((one) => one.name);
  const seen = new Set(at.part === 'api' ? [...names, ...to.resource.parameters.map((one) => one.name)] : names);
  return to.resource.columns.flatMap((column) => {
    const before = columnOf(from.resource, column.name);
    if (before === undefined || before.number === column.number || !seen.has(column.name)) return [];
    const now = to.resource.columns.find(({ number }) => number === before.number)?.name;
    return [other(`${at.place} ${column.name}`, 'field', column.name, now)];
  });
}
