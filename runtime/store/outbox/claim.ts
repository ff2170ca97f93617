// From due to claimed: a lease gives a hook to one attempt in the whole system, whichever server it is on.
import { placementOf } from '../../contract/ids.js';
import type { Attempt, CallbackType } from '../../rules/delivery.js';
import type { HookSecrets } from '../../rules/secrets.js';
import type { Outbox } from '../outbox.js';
import { groupsOf } from '../sql/by-placement.js';
import type { Dialect } from '../sql/dialect.js';
import { answers, type BoundStatement, type Pending, type Queries } from '../unit.js';
import type { OutboxContext } from './context.js';
import { dropStatements, PARTS, pausedSql } from './deliveries.js';
import { ownSecrets, secretStatements } from './secrets.js';

/** What an attempt of one hook is claimed with. */
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
    return database.separately(function* (statements) {
      const claimable = yield* readClaimable(statements, dialect, { sql: sql.claimable, hooks, now });
      const claims = claimable.map((hook) => ({ hook, attempt: ids.next(placementOf(hook), now), server, now, until }));
      const sent = claims.map((claim) => ({ claim, rows: statements.together(claimOf(sql, claim)) }));
      const { attempts, missed, failures } = yield* claimed(sent);
      if (missed.some(({ delivery }) => delivery !== null)) dueTimes.forget();
      yield* answers(missed.map((one) => statements.together(endOf(sql, one))));
      // What was claimed must be sent, even if the others failed: these are found again.
      if (failures.length > 0 && attempts.length === 0) throw failures[0];
      return attempts;
    });
  };
}

interface ClaimableHooks {
  readonly sql: string;
  readonly hooks: readonly string[];
  readonly now: number;
}

/** Which hooks look as if they could be claimed: most of what is asked for has nothing due, and costs a read. */
function* readClaimable(queries: Queries, dialect: Dialect, { sql, hooks, now }: ClaimableHooks) {
  const reads = groupsOf(dialect, hooks).map((group) => queries.rows<{ id: string }>(sql, { ...group, now }));
  return (yield* answers(reads)).flat().map(({ id }) => id);
}

/**
 * The lease first: while it is ours, nobody else claims a delivery of the hook, so the oldest one that the next statement
 * sees is the oldest. Its conditions are repeated where it is updated, as an outcome may have changed it meanwhile.
 */
function claimOf({ takeLease, claim, callee, secrets }: ClaimStatements, one: Claim): readonly BoundStatement[] {
  const { hook, attempt, server, now, until } = one;
  const values = { placement: placementOf(hook), hook, subject: hook, attempt_id: attempt, server, now, until };
  return [takeLease, claim, callee, secrets].map((sql) => [sql, values]);
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

/** A lease without an attempt: nothing was due, or the hook was deleted with its user, and there is nobody left to call (S38). */
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

/** Address and key are as they are now (S20, S21), or as they were when the hook was deleted (S9). */
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
  const own = { ...ownSecrets(stored, key, now), ...(trace !== null && { trace }) };
  return { id: attempt, delivery: id, hook, type, message, uri, key, ...own, failed, started: now };
}

function endOf({ drop, endLease }: ClaimStatements, { claim, delivery }: MissedClaim): readonly BoundStatement[] {
  const { hook, attempt } = claim;
  const values = { placement: placementOf(hook), hook, subject: hook, attempt_id: attempt };
  return [...(delivery === null ? [] : drop), endLease].map((sql) => [sql, values]);
}

type ClaimStatements = ReturnType<typeof claimStatements>;

export function claimStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  // SQLite knows the updated row in RETURNING by its bare columns alone.
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

/** Ends the lease that the attempt has, and no other's. */
export function endLease(dialect: Dialect): string {
  const isOurs = `${dialect.placed('l', '@placement')} AND l.subject = @subject AND l.attempt_id = @attempt_id`;
  return `DELETE FROM webhook_lease AS l WHERE ${isOurs}`;
}

function isClaimable(alias: string): string {
  return `${alias}.ready <= @now AND (${alias}.lease IS NULL OR ${alias}.lease <= @now)`;
}

/** S29: the first attempt created earliest or the retry due earliest, whichever of the two became ready first. */
function oldestOf(dialect: Dialect, hook: string): string {
  const [first, retry] = PARTS;
  const one = (alias: string, part: string, order: string) =>
    `SELECT ${alias}.id, ${alias}.ready FROM webhook_delivery ${alias} WHERE ${dialect.placed(alias, '@placement')}
      AND ${alias}.webhook_id = ${hook} AND ${alias}.${part} AND ${isClaimable(alias)} ORDER BY ${order} LIMIT 1`;
  return `SELECT o.id FROM (SELECT f.id, f.ready FROM (${one('a', first, 'a.id')}) f
    UNION ALL SELECT r.id, r.ready FROM (${one('b', retry, 'b.ready, b.id')}) r) o ORDER BY o.ready, o.id LIMIT 1`;
}
