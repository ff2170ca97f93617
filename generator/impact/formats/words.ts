// What the formats for people share: titles of the parts, shortened lists of places, grouped findings.

import { type Finding, PARTS, type Part, type Report } from '../report.js';

export const TITLES: Readonly<Record<Part, string>> = {
  api: 'API',
  data: 'Data',
  webhooks: 'Web hooks',
};

const NAMED = 3;

/** The first few places by name, and how many more there are. */
export function places(where: readonly string[]): readonly string[] {
  // One more name takes no more room than `1 more`.
  if (where.length <= NAMED + 1) return where;
  return [...where.slice(0, NAMED), `${where.length - NAMED} more`];
}

export function partsOf({ findings }: Report): readonly (readonly [Part, readonly Finding[]])[] {
  return PARTS.map((part) => [part, findings.filter((finding) => finding.part === part)]);
}

/** Groups findings with the same message, as an edit of a convention produces them; in the order of the first of each. */
export function groupByMessage(findings: readonly Finding[]): readonly (readonly [Finding, ...Finding[]])[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.class, finding.rule, finding.message, annotations(finding)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

/** The notes on a finding, and its acceptance: `accepted until 2027-01-31: no caller sends it`. */
export function annotations({ accepted, notes }: Finding): readonly string[] {
  return [...notes, ...(accepted === null ? [] : [`accepted until ${accepted.until}: ${accepted.reason}`])];
}

/** `1 breaking and 2 exposing findings`. */
export function counted(findings: readonly Finding[]): string {
  const exposing = findings.filter((finding) => finding.class === 'exposing').length;
  const numbers = [
    [findings.length - exposing, 'breaking'],
    [exposing, 'exposing'],
  ] as const;
  const said = numbers.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return `${said.join(' and ')} ${findings.length === 1 ? 'finding' : 'findings'}`;
}
