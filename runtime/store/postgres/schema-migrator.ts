// The schema migrator of PostgreSQL. Each access has its own session, so that nothing stays open between them.
import { randomBytes } from 'node:crypto';
import { CommandError } from '../../contract/command-error.js';
import { createIds } from '../../contract/ids.js';
import type { Schema } from '../../schema/schema.js';
import { migratedAudit } from '../audit.js';
import { createAuditStatement } from '../audit-log.js';
import { permitAllowed, permitRehearsal } from '../migration-permits.js';
import type { Progress } from '../progress.js';
import type { CurrentSchema, SchemaMigrator } from '../schema-migrator.js';
import { runAsync } from '../unit.js';
import type { Connections, Query } from './connections.js';
import { sessionQueries } from './database.js';
import { POSTGRES } from './dialect.js';
import { applyTo, type MigrationTarget } from './migrate/apply.js';
import { refuseUnsuitable } from './migrate/create.js';
import { listDropped, purgeDropped } from './migrate/dropped.js';
import { withLease } from './migrate/lease.js';
import { type Metadata, readHistory, readMetadata } from './migrate/metadata.js';
import { migratorName } from './migrate/migrator-name.js';
import { migrationIn, pendingOf } from './migrate/pending.js';
import { rehearse } from './migrate/rehearse.js';
import { restore } from './migrate/restore.js';

export interface MigratorParts {
  readonly connections: Connections;
  /** Repeatable statements for the engine's own tables. */
  readonly extraDdl: readonly string[];
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly progress?: Progress | undefined;
}

export function createSchemaMigrator(parts: MigratorParts): SchemaMigrator {
  const { connections, extraDdl, clock, progress } = parts;
  const { session } = connections;
  const tick = (): number => performance.now();
  /** Runs work during which nobody else migrates, however long it takes. */
  const alone = <T>(work: (query: Query, metadata: Metadata) => Promise<T>): Promise<T> =>
    session(async (query) => {
      await finishedMemory(query);
      const taking = { connections, holder: await migratorName(query), clock };
      // The metadata is read again, since somebody may have migrated before the lease was taken.
      return withLease(query, taking, (lease) => lease.during(async () => work(query, await finishedMemory(query))));
    });
  const migrate = (target: Pick<MigrationTarget, 'schema' | 'now' | 'permit' | 'distribute' | 'adopt' | 'applied'>) =>
    session(async (query) =>
      applyTo(query, { ...target, connections, tick, extraDdl, progress, holder: await migratorName(query) }),
    );
  return {
    current: () => session(currentOf),
    plan: (next, adopt = false) => session((query) => planOf(query, next, adopt)),
    apply(schema, allow, change, { distribute = false, adopt = false } = {}) {
      const statementOf = createAuditStatement(POSTGRES, createIds(randomBytes));
      const applied: MigrationTarget['applied'] = async (query, steps) =>
        void (await runAsync(sessionQueries(query).rows(...statementOf(migratedAudit(steps, allow, change)))));
      return migrate({ schema, now: change.now, permit: permitAllowed(allow), distribute, adopt, applied });
    },
    rehearse: (schema, now) => {
      const apply = (query: Query, copy: Connections) =>
        applyTo(query, {
          ...{ connections: copy, schema, now, tick, extraDdl, progress },
          ...{ holder: 'a rehearsal', permit: permitRehearsal },
        });
      return rehearse({ connections, schema, apply, progress, tick });
    },
    restore: (name) => alone((query, metadata) => restore(query, metadata, name)),
    purge: (before) => alone((query) => purgeDropped(query, before)),
  };
}

/** Throws CommandError for an empty database, and for one whose migration is not finished. */
async function finishedMemory(query: Query): Promise<Metadata> {
  const metadata = await readMetadata(query);
  if (metadata === null) throw new CommandError('the database is empty');
  if (migrationIn(metadata) === null) return metadata;
  throw new CommandError('a migration was begun and is not finished: run `punchboard migrate apply` first');
}

async function currentOf(query: Query): Promise<CurrentSchema> {
  if ((await readMetadata(query)) === null) return { applied: [], kept: [] };
  return { applied: await readHistory(query), kept: await listDropped(query) };
}

async function planOf(query: Query, next: Schema, adopt: boolean) {
  const metadata = await readMetadata(query);
  if (metadata !== null) return pendingOf(query, metadata, next, adopt);
  await refuseUnsuitable(query);
  return null;
}
