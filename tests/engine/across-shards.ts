// Statements that touch every shard. No request needs one, except where a comment says so.

/** Statements that ask every shard, because they look for work, recover, report to operators, count or prune. */
export const OUTBOX_SWEEPS: readonly RegExp[] = [
  /^SELECT DISTINCT f\.webhook_id FROM \( SELECT d\."_shard", d\.webhook_id FROM webhook_delivery d WHERE d\.ready > /,
  /^SELECT min\(ready\) AS next FROM webhook_delivery/,
  /^SELECT id FROM webhook_mail WHERE due <= \$1 ORDER BY due LIMIT/,
  /^DELETE FROM webhook_delivery AS d WHERE d\.type = 'test' AND EXISTS \(SELECT 1 FROM webhook_lease l .* l\.server = \$1\)$/,
  /^UPDATE webhook_delivery AS d SET attempt_id = NULL, .* EXISTS \(SELECT 1 FROM webhook_lease l .* l\.server = \$1\) RETURNING id$/,
  /^UPDATE webhook_delivery SET due = \$1 \+ .* WHERE coalesce\(last_failure, due\) > \$1$/,
  /^DELETE FROM webhook_lease WHERE server = /,
  /^UPDATE webhook_(lease SET until|delivery SET lease) = \$1 WHERE (until|lease) > \$2$/,
  // The list of hooks; for one hook, the condition is its shard and its id.
  /^SELECT w\.\*, m\.created AS noticed, .* ORDER BY w\.failures_since_last_success DESC, w\.id LIMIT \$\d+$/,
  /^SELECT count\(\*\) AS "rows", max\(t\.id\) AS "last", .* FROM webhook(_delivery|_mail)? o WHERE \(o\._shard, o\.id\) > /,
  /^WITH old AS \(SELECT _shard, id FROM webhook_(attempt|answer|message) WHERE ended <= /,
  /^DELETE FROM webhook_delivery d USING webhook_lease l WHERE d\.type = 'test' AND l\.until < /,
  /^DELETE FROM webhook_lease WHERE until < /,
  /^SELECT max\(s\.id\) AS last FROM \(SELECT o\.id FROM webhook_(mail|delivery|secret|trace) o/,
  /^DELETE FROM webhook_(mail|delivery|secret|trace) AS o WHERE \(o\._shard, o\.id\) > /,
  /^SELECT _shard AS placement, owner_id, event, webhook_id FROM webhook_subscription/,
];

/** Statements of records and files. */
export const RECORDS_ACROSS_SHARDS: readonly RegExp[] = [
  // A deletion looks for references from other placements.
  /^SELECT u\."shard", u\."use" FROM \(SELECT t\."_shard" AS "shard", '\w+\.\w+' AS "use" FROM /,
  // A list of records that are not placed with its parent: a user's associations.
  /^SELECT .* FROM \(?(SELECT t\.\* FROM )?"designerassociate" t WHERE t."user_id" = \$1/,
  // The uses of a file, in games of any owner.
  /^SELECT t."id" AS "id" FROM "\w+" t WHERE \(?t."\w+" = \$\d+ AND t."id" > \$\d+\)? ORDER BY t."id" LIMIT \$\d+$/,
  // A list of all records, or a search of them: first the ids, from each shard as many as one request reads.
  /^SELECT w\."id" FROM "\w+_words" w WHERE w\."listed" = \$1 AND /,
  /^SELECT .* FROM "(game|part|user)" t WHERE (\(t\."_shard", t\."id"\) IN |t\."public" = 1)/,
  /^SELECT .* FROM \((SELECT 1|SELECT t\.\*|WITH found) .*"(game|part|user)" t/,
  // Once a minute, the service looks for words that a server with an earlier rule has written.
  /^SELECT DISTINCT "id" FROM "\w+_words" WHERE "outdated_\d+" IS NOT NULL LIMIT \d+$/,
  // Records that operators find by the beginning of a text, and the names of records to which the listed ones refer.
  /^SELECT t\."id" AS "id" FROM ("\w+" t WHERE|\(SELECT t\."id", .* LIMIT 2000\) t WHERE \()/,
  /^SELECT 1 AS "one" FROM "\w+" t LIMIT 1 OFFSET 2000$/,
  /^SELECT t\."id" AS "id", .* FROM "\w+" t WHERE \(t\."_shard", t\."id"\) IN \(SELECT left\(i, 2\)/,
  // A start looks for rows without a made record (D40).
  /^SELECT t\."id" AS "id" FROM "\w+" t WHERE t\."\w+" IS NULL ORDER BY t\."id" LIMIT \d+$/,
  // The bytes of files: which were released, and whether any record holds them.
  /^SELECT r\.sequence, r\.hash FROM released_file r WHERE r\.sequence > /,
  /^SELECT 1 AS "one" FROM "file" t WHERE t\.content_hash = \$1/,
  // The storage of each user's files, occasionally on each server, if there is a quota (D64). Each shard adds up its own.
  /^SELECT f\.owner AS "user", sum\(f\.size\) AS bytes FROM \(SELECT t\."_shard" AS shard, .* GROUP BY f\.shard, f\.owner HAVING /,
  // Whether another administrator remains when one is revoked, disabled or deleted (D65).
  /^SELECT u."id" AS "id" FROM "user" u WHERE u."admin" = 1 AND u."disabled" = 0 LIMIT 1$/,
];

const OTHERS: readonly RegExp[] = [
  // Upkeep of sessions; and at a start, whether there are accounts.
  /^WITH old AS \(SELECT _shard, id_hash FROM session/,
  /^SELECT 1 AS "one" FROM "\w+" u LIMIT 1$/,
];

/** Whether the statement is one of these. */
export function mayTouchAllShards(text: string): boolean {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...OUTBOX_SWEEPS, ...RECORDS_ACROSS_SHARDS, ...OTHERS].some((pattern) => pattern.test(line));
}
