// What the verbs of the outbox use. A hook and everything about it have the placement of the user who created it, so that every
// statement about a hook names it, and touches one shard. Those that find work, report or count ask all shards.
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
  /** Absent: messages have the names of today. */
  readonly showMessage?: ShowMessage;
  readonly listener: OutboxListener;
  readonly dueTimes: DueTimes;
}

/** What statements are composed from. */
export type StatementContext = Pick<OutboxContext, 'dialect' | 'definitions' | 'principal'>;

/** Tells the cache of due times what this server has changed. */
export interface DueTimes {
  /** A delivery can be claimed from then on. */
  note(ready: number): void;
  /** More has changed than can be said. */
  forget(): void;
}

/** Nobody remembers it. */
export const NO_DUE_TIMES: DueTimes = { note: () => undefined, forget: () => undefined };
