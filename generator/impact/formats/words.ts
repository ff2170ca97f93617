// Words that the forms of a report share: titles of its parts, places, the last line.

import { type Finding, PARTS, type Part, type Report } from '../report.js';

export const TITLES: Readonly<Record<Part, string>> = {
  api: 'API',
  data: 'Data',
  clients: 'Generated types',
  webhooks: 'Web hooks',
};

const NAMED = 3;

/** The first places by name, the others by number. */
export function places(where: readonly string[]): readonly string[] {
  // One more name is no longer than its count.
  if (where.length <= NAMED + 1) return where;
  return [...where.slice(0, NAMED), `${where.length - NAMED} more`];
}

export function partsOf({ findings }: Report): readonly (readonly [Part, readonly Finding[]])[] {
  return PARTS.map((part) => [part, findings.filter((finding) => finding.part === part)]);
}

/** `accepted until 2027-01-31: no caller sends it`, and what else is known of a finding. */
export function asides({ accepted, notes }: Finding): readonly string[] {
  return [...notes, ...(accepted === null ? [] : [`accepted until ${accepted.until}: ${accepted.reason}`])];
}
