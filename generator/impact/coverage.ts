// Which findings do not reach the callers of a version (D68), and why the others do. Pure.

import type { Model } from '../model/model.js';
import { compose } from '../versions/compose.js';
import { cut, type Shape } from '../versions/shape.js';
import { viewOf } from '../versions/view.js';
import type { Coverage, Finding } from './report.js';

/** The findings of the API between two models. */
export type Compare = (from: Model, to: Model) => readonly Finding[];

/** @returns the findings, each with the version that covers it, and what the edit breaks for callers of the version alone */
export function covered(
  findings: readonly Finding[],
  { from, to, shape }: { readonly from: Model; readonly to: Model; readonly shape: Shape },
  compare: Compare,
): readonly Finding[] {
  const { version, sunset } = shape;
  const by: Coverage = { version, ...(sunset === undefined ? {} : { sunset }) };
  const view = viewOf(to, compose(shape, to));
  const left = prints(compare(from, view));
  const known = prints(findings);
  const told = findings.map((finding): Finding => {
    if (!isOfCallers(finding)) return finding;
    if (!left.has(finding.fingerprint)) return { ...finding, covered: by };
    return { ...finding, notes: [...finding.notes, `not covered by ${version}: ${reasonOf(finding)}`] };
  });
  const own = compare(viewOf(from, compose(shape, from)), view).filter(
    (finding) => isOfCallers(finding) && !known.has(finding.fingerprint),
  );
  const notes = [`under ${version}`];
  return [...told, ...own.map((finding) => ({ ...finding, notes: [...finding.notes, ...notes] }))];
}

/** How many of the findings a cut of the model before would cover. */
export function coverable(
  findings: readonly Finding[],
  { from, to }: { readonly from: Model; readonly to: Model },
  compare: Compare,
): number {
  const open = findings.filter((finding) => isOfCallers(finding) && finding.covered === null);
  if (open.length === 0) return 0;
  const left = prints(compare(from, viewOf(to, compose(cut(from, ''), to))));
  return open.filter(({ fingerprint }) => !left.has(fingerprint)).length;
}

/** The newest that is still served. */
export function servedOn(today: string, versions: readonly Shape[]): Shape | undefined {
  return versions.findLast(({ sunset = today }) => sunset >= today);
}

function prints(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(findings.filter(isOfCallers).map(({ fingerprint }) => fingerprint));
}

function isOfCallers({ part, class: kind }: Finding): boolean {
  return part === 'api' && kind === 'breaking';
}

function reasonOf({ rule }: Finding): string {
  return REASONS.find(([rules]) => rules.test(rule))?.[1] ?? 'the same request does something else';
}

/** By the names of rules. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(access_|operation_needs|action_by|parameter_set|property_(presence|view))/, 'rights are not versioned'],
  [/^property_removed|^brief_removed/, 'its values are gone; it is shown as null'],
  [/^parameter_removed/, 'it has no place any more; what is sent has no effect'],
  [/^(resource|operation|catalogue_row|catalogue_attribute)_removed/, 'nothing is left that could answer'],
  [/^property_/, 'records may hold what they could not hold then'],
  [/^parameter_added|^parameter_required/, 'nothing says what to send in its place'],
  [/^parameter_|^reference_|^upload|^unique|^update_match/, 'what was accepted is refused, whoever sends it'],
  [/^filter|^sortable|^list_search/, 'nothing is left to select by'],
];
