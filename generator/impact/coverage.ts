// Which findings a version covers (D68), and why it does not cover the others.

import type { Model } from '../model/model.js';
import { compose } from '../versions/compose.js';
import { cut, type Shape } from '../versions/shape.js';
import { viewOf } from '../versions/view.js';
import type { Coverage, Finding } from './report.js';

/** Finds what changes in the API between two models. */
export type Compare = (from: Model, to: Model) => readonly Finding[];

interface Edit {
  readonly from: Model;
  readonly to: Model;
  /** The versions that are served, oldest first. */
  readonly versions: readonly Shape[];
}

/** @returns the findings, marked where the newest version covers them */
export function covered(
  findings: readonly Finding[],
  { from, to, versions }: Edit,
  compare: Compare,
): readonly Finding[] {
  const newest = versions.at(-1);
  if (newest === undefined) return findings;
  const { version, sunset } = newest;
  const coverage: Coverage = { version, ...(sunset === undefined ? {} : { sunset }) };
  const remaining = prints(compare(from, viewOf(to, compose(newest, to))));
  return findings.map((finding): Finding => {
    if (!isOfCallers(finding)) return finding;
    if (!remaining.has(finding.fingerprint)) return { ...finding, covered: coverage };
    return { ...finding, notes: [...finding.notes, `not covered by ${version}: ${reasonOf(finding)}`] };
  });
}

/**
 * @param known findings that need no second report
 * @returns what only callers of versions notice: each finding once, with every version under which they do
 */
export function noticedUnder(
  { from, to, versions }: Edit,
  known: readonly Finding[],
  compare: Compare,
): readonly Finding[] {
  const noticed = new Map<string, Finding>();
  const reported = prints(known);
  for (const shape of versions) {
    for (const finding of compare(viewOf(from, compose(shape, from)), viewOf(to, compose(shape, to)))) {
      const { fingerprint } = finding;
      if (!isOfCallers(finding) || reported.has(fingerprint)) continue;
      const { notes } = noticed.get(fingerprint) ?? finding;
      noticed.set(fingerprint, { ...finding, notes: [...notes, `under ${shape.version}`] });
    }
  }
  return [...noticed.values()];
}

/** How many of the open findings a cut of `from` would cover. */
export function coverable(findings: readonly Finding[], { from, to }: Edit, compare: Compare): number {
  const open = findings.filter(isOfCallers);
  if (open.length === 0) return 0;
  const remaining = prints(compare(from, viewOf(to, compose(cut(from, ''), to))));
  return open.filter(({ fingerprint }) => !remaining.has(fingerprint)).length;
}

/** The versions whose sunset has not passed. */
export function servedOn(today: string, versions: readonly Shape[]): readonly Shape[] {
  return versions.filter(({ sunset = today }) => sunset >= today);
}

function prints(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.filter(isOfCallers).map(({ fingerprint }) => fingerprint));
}

function isOfCallers({ part, class: kind }: Finding): boolean {
  return part === 'api' && kind === 'breaking';
}

function reasonOf({ rule }: Finding): string {
  return REASONS.find(([rules]) => rules.test(rule))?.[1] ?? 'the same request has another effect';
}

/** Reasons by the name of the finding's rule. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(access_|operation_needs|action_by|parameter_set|property_(presence|view))/, 'rights are not versioned'],
  [/^property_removed|^brief_removed/, 'its values have been removed; it is shown as null'],
  [/^parameter_removed/, 'it no longer exists; what is sent has no effect'],
  [/^(resource|operation|catalogue_row|catalogue_attribute)_removed/, 'nothing is left to answer the request'],
  [/^property_/, 'records may hold values that they could not hold in that version'],
  [/^parameter_added|^parameter_required/, 'there is no default or fill to send in its place'],
  [/^parameter_|^reference_|^upload|^unique|^update_match/, 'values that were accepted are refused'],
  [/^choice_order/, 'lists are ordered by the names that choices have today'],
  [/^filter|^sortable|^list_search/, 'there is nothing left to select by'],
];
