// What an edit of the spec does, as data: findings in four parts. Types and the order of the parts; no rule.

import type { ChangeClass } from '../../runtime/schema/plan.js';

/** The parts of a report, in the order they are told. */
export const PARTS = ['api', 'data', 'webhooks'] as const;
export type Part = (typeof PARTS)[number];

/** A finding as a rule makes it, before dates, counters and acceptance are looked at. */
export interface Draft {
  readonly part: Part;
  /** Row of the rules it comes from, `parameter_removed`. */
  readonly rule: string;
  /** risk: rows that may stand in the way and were not counted. */
  readonly class: 'breaking' | 'risk' | 'safe' | ChangeClass;
  /** Whether somebody has to do something: what the exit code is about. */
  readonly breaking: boolean;
  /** What it is about, in names that no order and no other finding changes: part of the fingerprint. */
  readonly place: string;
  /** Where people meet it: operations, a column, a type, an event. */
  readonly where: readonly string[];
  /** One clause, `parameter quantity: max 99 -> 50`. */
  readonly says: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Of what was removed: its dates, and what its uses are counted under. */
  readonly deprecation?: DeprecationStatus;
}

export interface DeprecationStatus {
  readonly resource: string;
  /** As the descriptor names it; null: the resource itself. Undefined: it never had dates, so nothing was counted. */
  readonly field: string | null | undefined;
  /** Dates it stated, YYYY-MM-DD; null: none. */
  readonly ends: { readonly deprecated?: string; readonly sunset?: string } | null;
}

export interface Finding extends Omit<Draft, 'deprecation' | 'place'> {
  /** Twelve hex digits of rule, place and values: the same in every order and wording. */
  readonly fingerprint: string;
  /** `still used: 12 times`. */
  readonly notes: readonly string[];
  readonly accepted: Acceptance | null;
}

/** A line of impact.yaml. */
export interface Acceptance {
  readonly fingerprint: string;
  readonly reason: string;
  /** Last day on which it holds, YYYY-MM-DD. */
  readonly until: string;
}

export interface Report {
  /** Part by part, breaking before safe, then by place. */
  readonly findings: readonly Finding[];
  /** What is to be said of impact.yaml: expired, unknown and malformed entries. */
  readonly remarks: readonly string[];
}

/** What a rule says of two sides. */
export interface Found {
  readonly breaking: boolean;
  readonly says: string;
  readonly from: unknown;
  readonly to: unknown;
}
