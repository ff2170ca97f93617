// What an operator's change leaves in the audit log (D51).

import type { Scalar } from './definition.js';

/** Who makes a change as an operator. */
export interface Author {
  /** Id of the administrator; null: the user who ran a command. */
  readonly user: string | null;
  /** Name of the administrator, or of the account of the machine that ran the command. */
  readonly name: string;
}

/** An operator's change that is not one of a record. */
export interface OperatorChange {
  readonly author: Author;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type AuditedValues = Readonly<Record<string, Scalar>>;

export interface NewAudit extends OperatorChange {
  /** A verb, `update`, and what it is done to if that is not a record. */
  readonly action: string;
  readonly resource: string | null;
  /** Id of the record. */
  readonly record: string | null;
  /** Null: there was, or is, nothing. */
  readonly before: AuditedValues | null;
  readonly after: AuditedValues | null;
}
