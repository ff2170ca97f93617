// What callers know of a removed resource or field: its deprecation, whether it was announced, and whether they still use it.

import type { Resource } from '../model/model.js';
import type { DeprecationStatus } from './report.js';

/** Uses by `<resource> <field>`; the field is empty for the resource itself. */
export type UseCounts = ReadonlyMap<string, number>;

const COUNTER = /^punchboard_deprecated_use_total\{([^}]*)\}\s+([0-9.eE+]+)/;

/** @param text response of `GET /metrics` of a running service; the counters of several services are added up */
export function parseUses(text: string): UseCounts {
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
  uses: UseCounts | null,
  today: string,
): readonly string[] {
  if (dates === null) return ['was never deprecated'];
  const used = field === undefined ? 0 : (uses?.get(`${resource} ${field ?? ''}`) ?? 0);
  const early = dates.sunset !== undefined && dates.sunset > today ? [`before its sunset, ${dates.sunset}`] : [];
  return [...(used > 0 ? [`still used: ${used} ${used === 1 ? 'time' : 'times'}`] : []), ...early];
}

/** @param name a parameter or property of the resource, `<action>.<parameter>`, or null for the resource itself */
export function deprecationStatus(resource: Resource, name: string | null): DeprecationStatus {
  const deprecation = resource.deprecations.find(
    ({ field, action, names, value }) =>
      (action === undefined && value === undefined && name !== null && names.includes(name)) || field === name,
  );
  const ofResource = resource.deprecations.find(({ field }) => field === null);
  const property = resource.properties.find((one) => one.name === name)?.deprecation;
  const announced = deprecation ?? property ?? ofResource;
  return {
    resource: resource.name,
    field: deprecation !== undefined ? deprecation.field : ofResource !== undefined ? null : undefined,
    dates: announced === undefined ? null : datesOf(announced),
  };
}

function datesOf({
  deprecated,
  sunset,
}: {
  deprecated?: string;
  sunset?: string;
}): NonNullable<DeprecationStatus['dates']> {
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}
