// Every statement that the engine's parts besides the records prepare, without a database.
import { loadGenerated, principalOf } from '../../runtime/server/load-generated.js';
import { auditStatements } from '../../runtime/store/audit-log.js';
import { figureStatements } from '../../runtime/store/figures.js';
import { fileStatements } from '../../runtime/store/files.js';
import { storedAnswerStatements } from '../../runtime/store/idempotency.js';
import { accountStatements, endSessions, keyStatements, sessionStatements } from '../../runtime/store/identity.js';
import { claimStatements, dueStatements } from '../../runtime/store/outbox/claim.js';
import { deliveryStatements } from '../../runtime/store/outbox/deliveries.js';
import { hookStatements } from '../../runtime/store/outbox/hooks.js';
import { mailStatements } from '../../runtime/store/outbox/mails.js';
import { pauseStatements } from '../../runtime/store/outbox/pauses.js';
import { orphanStatements } from '../../runtime/store/outbox/prune.js';
import { entitledStatements, ownerStatement } from '../../runtime/store/outbox/publish.js';
import { recoveryStatements } from '../../runtime/store/outbox/recovery.js';
import { reportStatements } from '../../runtime/store/outbox/reports.js';
import { retryStatements } from '../../runtime/store/outbox/retry.js';
import { secretStatements } from '../../runtime/store/outbox/secrets.js';
import { lockStatements, settleStatements } from '../../runtime/store/outbox/settle.js';
import { statisticStatements } from '../../runtime/store/outbox/statistics.js';
import { subscriptionStatements } from '../../runtime/store/outbox/subscriptions.js';
import { testStatements } from '../../runtime/store/outbox/test-callback.js';
import { numbered } from '../../runtime/store/postgres/database.js';
import { POSTGRES } from '../../runtime/store/postgres/dialect.js';
import { EXTEND, mailLeaseStatements } from '../../runtime/store/postgres/outbox/leases.js';
import { PRUNE, SUBSCRIPTIONS } from '../../runtime/store/postgres/outbox/prune.js';
import { FIND_UNIQUE } from '../../runtime/store/postgres/unique-values.js';
import { insertEntries } from '../../runtime/store/postgres/words.js';
import { rememberedStatements } from '../../runtime/store/remembered.js';

/** The statements of accounts, sessions, idempotency keys, the audit log, reports, and words that are written again. */
export async function otherTexts(): Promise<readonly string[]> {
  const { generated } = loadGenerated(null);
  const principal = principalOf(generated);
  const apiKeys = generated.definitions.find(({ name }) => name === 'apikey') ?? null;
  const statements = {
    ...{ ...storedAnswerStatements(POSTGRES), end: endSessions(POSTGRES), named: FIND_UNIQUE },
    ...{ accounts: accountStatements(POSTGRES, principal, apiKeys), sessions: sessionStatements(POSTGRES, principal) },
    keys: apiKeys && keyStatements(POSTGRES, principal, apiKeys),
    ...{
      audit: auditStatements(POSTGRES),
      figures: figureStatements(POSTGRES),
      files: fileStatements(POSTGRES, generated.definitions),
      remembered: rememberedStatements(generated.definitions),
    },
  };
  return [...textsOf(statements), insertEntries('"game_words"')];
}

/** The texts of statements by name, in lists and objects. */
function textsOf(statements: unknown): readonly string[] {
  if (typeof statements === 'string') return [numbered(statements).text.replace(/\s+/g, ' ').trim()];
  return statements ? Object.values(statements).flatMap(textsOf) : [];
}

/** The statements of an outbox, for each owner class. */
export async function outboxTexts(): Promise<readonly string[]> {
  const { generated } = loadGenerated(null);
  const { events } = generated;
  const definitions = new Map(generated.definitions.map((definition) => [definition.name, definition]));
  const context = { dialect: POSTGRES, definitions, principal: principalOf(generated) };
  const owners = [...new Set(Object.values(events).map(({ owner }) => owner))];
  const [hooks, entitled] = [hookStatements(context), entitledStatements(context)];
  return textsOf([
    ...[hooks, entitled, owners.map((owner) => [hooks.may(owner), entitled.editors(owner)])],
    ...[ownerStatement(context, 'receipt', 'user'), ownerStatement(context, 'game', 'designer')],
    ...[subscriptionStatements(POSTGRES), deliveryStatements(POSTGRES), mailStatements(POSTGRES)],
    ...[pauseStatements(POSTGRES), dueStatements(POSTGRES), claimStatements(POSTGRES), recoveryStatements(POSTGRES)],
    ...[lockStatements(POSTGRES), settleStatements(POSTGRES), testStatements(POSTGRES), retryStatements(POSTGRES)],
    secretStatements(POSTGRES),
    ...[reportStatements(POSTGRES), statisticStatements(POSTGRES)],
    ...['webhook_mail', 'webhook_delivery', 'webhook_secret', 'webhook_trace'].map((table) =>
      orphanStatements(POSTGRES, table),
    ),
    ...[EXTEND, mailLeaseStatements(context.principal), PRUNE, SUBSCRIPTIONS],
  ]);
}
