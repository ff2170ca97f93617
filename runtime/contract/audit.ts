// What an operator's change leaves in the audit log (D51).

import type { Scalar } from './definition.js';

/** Who makes a change as an operator. */
export interface Author {
  /** Id of the administrator; null: the user who ran a command. */
  readonly user: string | null;
  /** Name of the administrator, or of the account of the machine that ran the command. */
  readonly name: string;
}

/** An operator's change of something other than a record. */
export interface OperatorChange {
  readonly author: Author;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type AuditedValues = Readonly<Record<string, Scalar>>;

export interface NewAudit extends OperatorChange {
  /** A verb such as `update`, followed by its object if that is not a record. */
  readonly action: string;
  readonly resource: string | null;
  /** Id of the record. */
  readonly record: string | null;
  /** Null: nothing existed before, or nothing exists after. */
  readonly before: AuditedValues | null;
  readonly after: AuditedValues | null;
}
