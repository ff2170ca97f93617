// The context of the outbox's verbs. A hook and everything about it have the placement of the user who created it, so that a
// statement about a hook touches one shard. Statements that find work, report or count read all shards.
import type { AnyDefinition, EventDefinition } from '../../contract/definition.js';
import type { Ids } from '../../contract/ids.js';
import type { decide } from '../../rules/policy.js';
import type { OutboxListener, ShowMessage } from '../outbox.js';
import type { Definitions } from '../sql/access.js';
import type { Dialect } from '../sql/dialect.js';
import type { Database, Transact } from '../unit.js';

export interface OutboxContext {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly transact: Transact;
  /** All generated definitions, by name. */
  readonly definitions: Definitions;
  /** The resource of users. */
  readonly principal: AnyDefinition;
  readonly events: Readonly<Record<string, EventDefinition>>;
  readonly ids: Ids;
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly retryUnit: number;
  /** Absent: messages have the current names. */
  readonly showMessage?: ShowMessage;
  readonly listener: OutboxListener;
  /** Absent: there is no cache of due times. */
  readonly dueTimes?: DueTimes;
}

/** The part of the context from which statements are composed. */
export type StatementContext = Pick<OutboxContext, 'dialect' | 'definitions' | 'principal'>;

/** Notifies the cache of due times of this server's changes. */
export interface DueTimes {
  /** A delivery can be claimed from that time on. */
  noteDueTime(ready: number): void;
  /** The changes cannot be described: the cache is outdated. */
  forget(): void;
}
