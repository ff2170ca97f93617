// Finds and claims due deliveries: a lease reserves a hook for one attempt in the whole system, whichever server makes it.
import { placementOf } from '../../contract/ids.js';
import type { Attempt, CallbackType } from '../../rules/delivery.js';
import { type HookSecrets, secretsAt } from '../../rules/secrets.js';
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import { awaitAll, type BoundStatement, type Pending, rowsAmong } from '../unit.js';
import type { OutboxContext } from './context.js';
import { dropStatements, PARTS, pausedSql } from './deliveries.js';
import { secretStatements } from './secrets.js';

/** Which hooks have something due, when the next delivery is due, and where the deliveries go. */
export function createDue({ database, dialect }: OutboxContext): Pick<Outbox, 'due' | 'nextDue' | 'hosts'> {
  const statements = dueStatements(dialect);
  return {
    due: (after, until) =>
      database.read(function* (queries) {
        const hooks = yield* queries.rows<{ readonly webhook_id: string }>(statements.due, { after, until });
        return hooks.map(({ webhook_id }) => webhook_id);
      }),
    async nextDue(now) {
      return (await database.row<{ readonly next: number | null }>(statements.next, { now }))?.next ?? null;
    },
    hosts: (hooks) =>
      database.read(function* (queries) {
        const hosts = new Map<string, string | null>();
        const rows = yield* rowsAmong<HookUri>(queries, dialect, hooks, [statements.uris, {}]);
        for (const { hook, uri } of rows) hosts.set(hook, hostOf(uri));
        return hooks.map((hook) => hosts.get(hook) ?? null);
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

/** The data of one claim. */
interface Claim {
  readonly hook: string;
  readonly attempt: string;
  readonly server: string;
  readonly now: number;
  /** The end of the lease. */
  readonly until: number;
}

export function createClaim({ database, dialect, ids, dueTimes }: OutboxContext): Outbox['claim'] {
  const sql = claimStatements(dialect);
  return (hooks, now, until, server) => {
    if (hooks.length === 0) return [];
    return database.writeSeparately(function* (statements) {
      // Most hooks have nothing due, and cost only this read.
      const claimable = yield* rowsAmong<{ readonly id: string }>(statements, dialect, hooks, [sql.claimable, { now }]);
      const sent = claimable.map(({ id: hook }): SentClaim => {
        const claim = { hook, attempt: ids.next(placementOf(hook), now), server, now, until };
        return { claim, rows: statements.writeAll(claimOf(sql, claim)) };
      });
      const { attempts, missed, failures } = yield* claimed(sent);
      if (missed.some(({ delivery }) => delivery !== null)) dueTimes?.forget();
      yield* awaitAll(missed.map((one) => statements.writeAll(endOf(sql, one))));
      // Claimed deliveries must be sent even if other claims failed, which a later call repeats.
      if (failures.length > 0 && attempts.length === 0) throw failures[0];
      return attempts;
    });
  };
}

/**
 * The lease is taken first: while it is ours, nobody else claims a delivery of the hook, so that the next statement sees the
 * oldest one. The update repeats the conditions, since an outcome may have changed the delivery meanwhile.
 */
function claimOf({ takeLease, claim, callee, secrets }: ClaimStatements, one: Claim): readonly BoundStatement[] {
  const { hook, attempt, server, now, until } = one;
  const values = { placement: placementOf(hook), hook, subject: hook, attempt_id: attempt, server, now, until };
  return [
    [takeLease, values],
    [claim, values],
    [callee, values],
    [secrets, values],
  ];
}

interface ClaimedDelivery {
  readonly id: string;
  readonly type: CallbackType;
  readonly message: string;
  readonly failed: number;
  readonly snapshot_uri: string | null;
  readonly snapshot_key: string | null;
  readonly trace: string | null;
}

interface Callee {
  readonly uri: string;
  readonly key: string | null;
}

/** A lease without an attempt: nothing was due, or the hook was deleted with its user, and nobody is left to call (S38). */
interface MissedClaim {
  readonly claim: Claim;
  readonly delivery: ClaimedDelivery | null;
}

interface ClaimAnswers {
  readonly attempts: readonly Attempt[];
  readonly missed: readonly MissedClaim[];
  readonly failures: readonly unknown[];
}

type ClaimRows = readonly [unknown, readonly ClaimedDelivery[], readonly Callee[], readonly HookSecrets[]];

interface SentClaim {
  readonly claim: Claim;
  readonly rows: Pending<readonly (readonly unknown[])[]>;
}

function* claimed(sent: readonly SentClaim[]): Pending<ClaimAnswers> {
  const attempts: Attempt[] = [];
  const missed: MissedClaim[] = [];
  const failures: unknown[] = [];
  for (const { claim, rows } of sent) {
    try {
      const [, [delivery], callees, secrets] = (yield* rows) as ClaimRows;
      const attempt = delivery === undefined ? null : attemptOf(claim, delivery, callees[0], secrets[0]);
      if (attempt === null) missed.push({ claim, delivery: delivery ?? null });
      else attempts.push(attempt);
    } catch (error) {
      failures.push(error);
    }
  }
  return { attempts, missed, failures };
}

/** The address and the key are the current ones (S20, S21), or those when the hook was deleted (S9). */
function attemptOf(
  { hook, attempt, now }: Claim,
  delivery: ClaimedDelivery,
  callee?: Callee,
  stored?: HookSecrets,
): Attempt | null {
  const { id, type, message, failed, snapshot_uri, snapshot_key, trace } = delivery;
  const to = snapshot_uri === null ? callee : { uri: snapshot_uri, key: snapshot_key };
  if (to === undefined) return null;
  const { uri, key } = to;
  const additions = { ...(stored && secretsAt(stored, now)), ...(trace !== null && { trace }) };
  return { id: attempt, delivery: id, hook, type, message, uri, key, ...additions, failed, started: now };
}

function endOf({ drop, endLease }: ClaimStatements, { claim, delivery }: MissedClaim): readonly BoundStatement[] {
  const { hook, attempt } = claim;
  const values = { placement: placementOf(hook), hook, subject: hook, attempt_id: attempt };
  return [...(delivery === null ? [] : drop), endLease].map((sql) => [sql, values]);
}

type ClaimStatements = ReturnType<typeof claimStatements>;

export function claimStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  // In RETURNING, SQLite only accepts columns of the updated row without an alias.
  const trace = `SELECT t.traceparent FROM (
    SELECT r.id AS traced, r.traceparent FROM webhook_trace r WHERE ${at('r')}) t WHERE t.traced = id`;
  const isLeased = `EXISTS (SELECT 1 FROM webhook_lease l WHERE ${at('l')} AND l.subject = h.id AND l.until > @now)`;
  const isOurs = `EXISTS (SELECT 1 FROM webhook_lease l
    WHERE ${at('l')} AND l.subject = @subject AND l.attempt_id = @attempt_id)`;
  return {
    claimable:
      `SELECT h.id FROM ${dialect.listed('@ids', 'h')} WHERE EXISTS (${oldestOf(dialect, 'h.id')}) ` +
      `AND NOT ${pausedSql(dialect, 'h.id')} AND NOT ${isLeased}`,
    takeLease:
      `${dialect.insertInto('webhook_lease AS l', ['subject', 'attempt_id', 'server', 'until'])} ` +
      `ON CONFLICT (${dialect.key('subject')}) DO UPDATE SET attempt_id = excluded.attempt_id, ` +
      `server = excluded.server, until = excluded.until WHERE l.until <= @now`,
    claim:
      `UPDATE webhook_delivery AS d SET attempt_id = @attempt_id, lease = @until WHERE ${at('d')} ` +
      `AND d.id = (${oldestOf(dialect, '@subject')}) AND ${isClaimable('d')} AND NOT ${pausedSql(dialect, '@subject')} ` +
      `AND ${isOurs} RETURNING id, type, message, failed, snapshot_uri, snapshot_key, (${trace}) AS trace`,
    // A key is used only while it belongs to the hook's user.
    callee:
      `SELECT w.callback_uri AS uri, k.private_key AS key FROM webhook w LEFT JOIN apikey k ON ${at('k')} ` +
      `AND k.id = w.api_key_id AND k.user_id = w.user_id WHERE ${at('w')} AND w.id = @subject`,
    secrets: secretStatements(dialect).find,
    drop: dropStatements(dialect),
    endLease: endLease(dialect),
  };
}

/** Ends the lease only if the attempt holds it. */
export function endLease(dialect: Dialect): string {
  const isOurs = `${dialect.placed('l', '@placement')} AND l.subject = @subject AND l.attempt_id = @attempt_id`;
  return `DELETE FROM webhook_lease AS l WHERE ${isOurs}`;
}

function isClaimable(alias: string): string {
  return `${alias}.ready <= @now AND (${alias}.lease IS NULL OR ${alias}.lease <= @now)`;
}

/** S29: the earliest created first attempt or the earliest due retry, whichever became ready first. */
function oldestOf(dialect: Dialect, hook: string): string {
  const [first, retry] = PARTS;
  const one = (alias: string, part: string, order: string) =>
    `SELECT ${alias}.id, ${alias}.ready FROM webhook_delivery ${alias} WHERE ${dialect.placed(alias, '@placement')}
      AND ${alias}.webhook_id = ${hook} AND ${alias}.${part} AND ${isClaimable(alias)} ORDER BY ${order} LIMIT 1`;
  return `SELECT o.id FROM (SELECT f.id, f.ready FROM (${one('a', first, 'a.id')}) f
    UNION ALL SELECT r.id, r.ready FROM (${one('b', retry, 'b.ready, b.id')}) r) o ORDER BY o.ready, o.id LIMIT 1`;
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
