// What every part of the outbox works with. Types only.
import type { Database } from 'better-sqlite3';
import type { EventDefinition } from '../definition.js';
import type { Ids } from '../ids.js';
import type { Definitions } from '../store/sqlite/access.js';
import type { GroupCommit } from '../store/sqlite/group-commit.js';
import type { Records } from '../store/sqlite/records.js';
import type { decide } from './policy.js';

export interface OutboxParts {
  readonly db: Database;
  /** The queue of writes of `db`. */
  readonly commits: GroupCommit;
  /** All that were generated, by name. */
  readonly definitions: Definitions;
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** The store's records of a resource; asked when something happens, not before. */
  records(resource: string): Records;
  readonly ids: Ids;
  readonly decide: typeof decide;
  /** Milliseconds of one step of the retry delay. */
  readonly unit: number;
  /**
   * Told of hooks that have something due now, within the transaction that made it so: whoever listens looks
   * after the commit, in a later turn of the event loop.
   */
  woken?(hooks: readonly string[]): void;
  /** Told of hooks that an event was not for, since their creators may no longer edit its owner (S37). */
  passedOver?(hooks: readonly string[]): void;
}
