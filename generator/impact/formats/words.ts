// What the forms for people share: titles of the parts, places in short, findings told together.

import { type Finding, PARTS, type Part, type Report } from '../report.js';

export const TITLES: Readonly<Record<Part, string>> = {
  api: 'API',
  data: 'Data',
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

/** Findings that say the same of several places, as an edit of a convention has them; in the order of the first. */
export function alike(findings: readonly Finding[]): readonly (readonly [Finding, ...Finding[]])[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.class, finding.rule, finding.says, asides(finding)]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [finding]);
    else known.push(finding);
  }
  return [...groups.values()];
}

/** `accepted until 2027-01-31: no caller sends it`, and what else is known of a finding. */
export function asides({ accepted, notes }: Finding): readonly string[] {
  return [...notes, ...(accepted === null ? [] : [`accepted until ${accepted.until}: ${accepted.reason}`])];
}
