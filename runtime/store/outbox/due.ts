// Finds due deliveries: which hooks have one, when the next one is due, and where the deliveries go.
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { groupsOf } from '../sql/placement.js';
import { awaitAll } from '../unit.js';
import type { OutboxContext } from './context.js';

export function createDue({ database, dialect }: OutboxContext): Pick<Outbox, 'due' | 'nextDue' | 'hosts'> {
  const statements = dueStatements(dialect);
  return {
    due: (after, until) =>
      database.read(function* (queries) {
        const hooks = yield* queries.rows<{ readonly webhook_id: string }>(statements.due, { after, until });
        return hooks.map(({ webhook_id }) => webhook_id);
      }),
    nextDue: (now) =>
      database.read(function* (queries) {
        return (yield* queries.row<{ readonly next: number | null }>(statements.next, { now }))?.next ?? null;
      }),
    hosts: (hooks) =>
      database.read(function* (queries) {
        const reads = groupsOf(dialect, hooks).map((group) => queries.rows<HookUri>(statements.uris, group));
        const uris = new Map((yield* awaitAll(reads)).flat().map(({ hook, uri }) => [hook, uri]));
        return hooks.map((hook) => hostOf(uris.get(hook) ?? null));
      }),
  };
}

interface HookUri {
  readonly hook: string;
  readonly uri: string | null;
}

function hostOf(uri: string | null): string | null {
  return uri !== null && URL.canParse(uri) ? new URL(uri).host : null;
}

export function dueStatements(dialect: Dialect) {
  const beside = (alias: string, other: string) => dialect.placed(alias, dialect.placement(other));
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const isLeased = `EXISTS (SELECT 1 FROM webhook_lease l
    WHERE ${beside('l', 'd')} AND l.subject = d.webhook_id AND l.until > @until)`;
  const isReady = `EXISTS (SELECT 1 FROM webhook_delivery h
    WHERE ${beside('h', 'e')} AND h.webhook_id = e.subject AND h.ready <= @until)`;
  // A deleted hook has one delivery, its unsubscribe, which is attempted once.
  const unsubscribe = `SELECT d.snapshot_uri FROM webhook_delivery d
    WHERE ${at('d')} AND d.webhook_id = h.id AND d.failed = 0 LIMIT 1`;
  const shard = (alias: string) => (dialect.isPlaced ? `${dialect.placement(alias)}, ` : '');
  return {
    // Reads all shards: once a second, it finds what other servers have published, and the claims of servers that have ended.
    due: `SELECT DISTINCT f.webhook_id FROM (
      SELECT ${shard('d')}d.webhook_id FROM webhook_delivery d
        WHERE d.ready > @after AND d.ready <= @until AND NOT ${isLeased}
      UNION ALL
      SELECT ${shard('e')}e.subject FROM webhook_lease e WHERE e.until > @after AND e.until <= @until AND ${isReady}) f`,
    next: `SELECT min(ready) AS next FROM webhook_delivery WHERE ready > @now`,
    uris:
      `SELECT h.id AS hook, coalesce(w.callback_uri, (${unsubscribe})) AS uri FROM ${dialect.listed('@ids', 'h')} ` +
      `LEFT JOIN webhook w ON ${at('w')} AND w.id = h.id`,
  };
}
