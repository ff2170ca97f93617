// Notes on something that is removed: whether callers were warned, and whether they still use it.

import type { DeprecationStatus } from './report.js';

/** Uses by `<resource> <field>`; the field is empty for the resource itself. */
export type Uses = ReadonlyMap<string, number>;

const COUNTER = /^punchboard_deprecated_use_total\{([^}]*)\}\s+([0-9.eE+]+)/;

/** @param text response of `GET /metrics` of a running service; counters of several services add up */
export function parseUses(text: string): Uses {
  const uses = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, labels = '', value] = COUNTER.exec(line) ?? [];
    if (value === undefined) continue;
    const key = `${label(labels, 'resource')} ${label(labels, 'field')}`;
    uses.set(key, (uses.get(key) ?? 0) + Number(value));
  }
  return uses;
}

function label(labels: string, name: string): string {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? '';
}

/** @param today YYYY-MM-DD */
export function notesOf(
  { resource, field, dates }: DeprecationStatus,
  uses: Uses | null,
  today: string,
): readonly string[] {
  if (dates === null) return ['was never deprecated'];
  const used = field === undefined ? 0 : (uses?.get(`${resource} ${field ?? ''}`) ?? 0);
  const early = dates.sunset !== undefined && dates.sunset > today ? [`before its sunset, ${dates.sunset}`] : [];
  return [...(used > 0 ? [`still used: ${used} ${used === 1 ? 'time' : 'times'}`] : []), ...early];
}
