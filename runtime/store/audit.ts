// The audit log (D51): who changed what through the operators' pages and commands, with the values before and after, but never
// a secret. An entry is written in the transaction of the change.

import type { AuditedValues, Author, NewAudit, OperatorChange } from '../contract/audit.js';
import type { AnyDefinition, Row } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import type { PublishedEvent } from '../rules/events.js';
import type { SchemaStep } from '../schema/plan.js';

export interface AuditEntry extends Omit<NewAudit, 'author' | 'now'>, Author {
  /** Later entries have greater ids. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface AuditPage {
  /** The last entry of the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
  /** Only changes of this record, or by this author; null: all. */
  readonly record: string | null;
  readonly name: string | null;
}

export interface AuditLog {
  /** Returns once the entry is durable. */
  audit(entry: NewAudit): MaybePromise<void>;
  /** Newest first. */
  audits(page: AuditPage): MaybePromise<readonly AuditEntry[]>;
  /** Deletes some of the entries older than that time. @returns true: there may be more */
  pruneAudits(before: number): MaybePromise<boolean>;
}

/** Replaces a value that nobody may read. */
const HIDDEN = '(hidden)';

/** A record before and after a change; null: it did not exist before, or does not exist after. */
export interface RowChange {
  readonly old: Row | null;
  readonly row: Row | null;
}

/** An entry holds everything visible of a new or deleted record, and only the changes of an updated record. */
export function auditOf(
  definition: AnyDefinition,
  change: OperatorChange & Pick<NewAudit, 'action'>,
  { old, row }: RowChange,
): NewAudit {
  const shown = shownColumns(definition);
  const columns = old === null || row === null ? shown : changedColumns(old, row);
  const record = String((row ?? old)?.id);
  const values = { before: pick(old, columns, shown), after: pick(row, columns, shown) };
  return { ...change, resource: definition.name, record, ...values };
}

/** An event that an operator publishes. */
export function publishedAudit({ event, owner_class, owner_id }: PublishedEvent, change: OperatorChange): NewAudit {
  return {
    ...change,
    action: 'publish',
    resource: null,
    record: owner_id,
    before: null,
    after: { event, owner_class },
  };
}

/** A migration that an operator applies. @param allow the permissions given by name */
export function migratedAudit(
  steps: readonly SchemaStep[],
  allow: readonly string[],
  change: OperatorChange,
): NewAudit {
  const named = allow.length === 0 ? {} : { allow: allow.join(' ') };
  const after = { steps: steps.map(({ says }) => says).join('; '), ...named };
  return { ...change, action: 'migrate', resource: null, record: null, before: null, after };
}

function changedColumns(old: Row, row: Row): readonly string[] {
  return Object.keys(row).filter((column) => row[column] !== old[column] && column !== 'date_updated');
}

/** The columns that callers who may see the record can still read after the response that created it. */
function shownColumns({ properties }: AnyDefinition): readonly string[] {
  return Object.values(properties).flatMap((property) =>
    (property.kind === 'column' || property.kind === 'bit') && property.view !== 'created' ? [property.column] : [],
  );
}

function pick(row: Row | null, columns: readonly string[], shown: readonly string[]): AuditedValues | null {
  if (row === null) return null;
  const pairs = columns.map((column) => [column, shown.includes(column) ? (row[column] ?? null) : HIDDEN] as const);
  return Object.fromEntries(pairs);
}
