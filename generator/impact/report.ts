// The report on an edit of the spec, as data: its findings and the order of its parts.

import type { ChangeClass } from '../../runtime/schema/plan.js';
import type { Advice } from './advice.js';

/** The parts of a report, in order. */
export const PARTS = ['api', 'data', 'webhooks'] as const;
export type ReportPart = (typeof PARTS)[number];

/** A finding as a rule produces it, before dates, counters and acceptances are considered. */
export interface Draft {
  readonly part: ReportPart;
  /** The rule that produced it: `parameter_removed`. */
  readonly rule: string;
  /** exposing: more people may see or do something. risk: rows that may block the migration and were not counted. */
  readonly class: 'breaking' | 'exposing' | 'risk' | 'safe' | ChangeClass;
  /** Whether somebody has to act on it; determines the exit code. */
  readonly breaking: boolean;
  /** Its subject, as part of the fingerprint: independent of order and of other findings. */
  readonly place: string;
  /** Where people notice it: operations, a column, a type, an event. */
  readonly where: readonly string[];
  /** One clause: `parameter quantity: max 99 -> 50`. */
  readonly message: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Of a removed resource or field: its dates, and the name under which its uses are counted. */
  readonly deprecation?: DeprecationStatus;
  /** How to make the edit without breaking callers; absent or null if no way is known. */
  readonly advice?: Advice | null;
}

export interface DeprecationStatus {
  readonly resource: string;
  /** The descriptor's name for it; null for the resource itself; undefined if it never had dates, so that nothing was counted. */
  readonly field: string | null | undefined;
  /** The dates it announced, YYYY-MM-DD; null if none. */
  readonly dates: { readonly deprecated?: string; readonly sunset?: string } | null;
}

export interface Finding extends Omit<Draft, 'deprecation' | 'place' | 'advice'> {
  /** Twelve hex digits from rule, place and values: independent of order and wording. */
  readonly fingerprint: string;
  /** `still used: 12 times`. */
  readonly notes: readonly string[];
  /** What to write in the descriptor so that no caller breaks; null if no way is known. */
  readonly advice: string | null;
  readonly accepted: Acceptance | null;
  /** The version whose callers do not notice the change; null if no version covers it. */
  readonly covered: Coverage | null;
}

/** A version that covers a finding. */
export interface Coverage {
  readonly version: string;
  /** The last day on which it is served; absent if no day is set. */
  readonly sunset?: string;
}

/** An entry of impact.yaml. */
export interface Acceptance {
  readonly fingerprint: string;
  readonly reason: string;
  /** The last day on which the entry applies, YYYY-MM-DD. */
  readonly until: string;
}

export interface Report {
  /** In order of part, then breaking before safe, then place. */
  readonly findings: readonly Finding[];
  /** Remarks on impact.yaml: expired, unknown and malformed entries. */
  readonly remarks: readonly string[];
  /** How many open findings a version of the base would cover; absent if none. */
  readonly coverable?: number;
}

/** A difference that a rule finds between two sides. */
export interface Difference {
  readonly breaking: boolean;
  /** Nobody's call breaks, but more people may see or do something. */
  readonly exposing?: boolean;
  readonly message: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The findings that are breaking, and neither covered nor accepted. */
export function openFindings({ findings }: Pick<Report, 'findings'>): readonly Finding[] {
  return findings.filter(({ breaking, accepted, covered }) => breaking && accepted === null && covered === null);
}
