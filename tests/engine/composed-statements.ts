// Every statement that the parts of an engine beside the records prepare, without a database.
import { createIds } from '../../runtime/ids.js';
import { loadGenerated, principalOf } from '../../runtime/server/load-generated.js';
import { createAuditLog, createWriteAudit, insertAudit } from '../../runtime/store/postgres/audit.js';
import type { Connections } from '../../runtime/store/postgres/connections.js';
import { createIdentity } from '../../runtime/store/postgres/identity.js';
import { createPruneOnce, createWriteOnce } from '../../runtime/store/postgres/once.js';
import { createOperatorReports } from '../../runtime/store/postgres/operator-reports.js';
import { createOutbox } from '../../runtime/store/postgres/outbox/outbox.js';
import { createCheckedReports } from '../../runtime/store/postgres/outbox/reports.js';
import { insertEntries } from '../../runtime/store/postgres/words.js';
import { RETRY_UNIT } from '../../runtime/webhooks/rules/delivery.js';
import { decide } from '../../runtime/webhooks/rules/policy.js';
import { saleOf } from './outbox-scene.js';

const IDS = createIds((bytes) => new Uint8Array(bytes));

/** Connections that prepare, and answer that there is an owner and a subscription. */
function withoutDatabase(texts: Set<string>): Connections {
  const answers: readonly (readonly [RegExp, Record<string, string | number>])[] = [
    [/AS owner, /, { owner: 'm0owner', user: 'm0user' }],
    [/FROM webhook_subscription/, { webhook_id: 'm0hook' }],
  ];
  const query: Connections['query'] = async ({ text }) =>
    answers.flatMap(([wanted, row]) => (wanted.test(text) ? [row] : []));
  const connections: Connections = {
    prepare: (text) => {
      texts.add(text.replace(/\s+/g, ' ').trim());
      return { name: text, text };
    },
    query,
    transaction: async (calls) => calls.map(() => []),
    interactive: (work) => work(query, query),
    session: () => Promise.reject(new Error('only work on the schema has sessions')),
    of: () => connections,
    figures: () => {
      throw new Error('only a server has figures of connections');
    },
    close: async () => undefined,
  };
  return connections;
}

/** Those of accounts, sessions, keys of repeated requests, the audit log, reports, and words that are written again. */
export async function otherTexts(): Promise<readonly string[]> {
  const { generated, schema } = loadGenerated(null);
  const texts = new Set<string>();
  const connections = withoutDatabase(texts);
  const principal = principalOf(generated);
  const apiKeys = generated.definitions.find(({ name }) => name === 'apikey') ?? null;
  createIdentity({ connections, apiKeys, principal, schema });
  createWriteOnce(connections);
  createPruneOnce(connections);
  createAuditLog(connections, createWriteAudit(connections, IDS));
  createOperatorReports(connections, principal);
  await createCheckedReports(connections);
  const author = { user: null, name: 'migrate' };
  const entry = { author, now: 1, action: 'migrate', resource: null, record: null, before: null, after: null };
  await insertAudit(async (text) => [connections.prepare(text)].slice(1) as never[], IDS, entry as never);
  return [...texts, insertEntries('"game_words"')];
}

/** Those of an outbox, for each owner class. */
export async function outboxTexts(): Promise<readonly string[]> {
  const { generated } = loadGenerated(null);
  const definitions = new Map(generated.definitions.map((definition) => [definition.name, definition]));
  const texts = new Set<string>();
  const connections = withoutDatabase(texts);
  const { query } = connections;
  const outbox = createOutbox({
    ...{ connections, definitions, principal: principalOf(generated) },
    ...{ events: generated.events, decide, unit: RETRY_UNIT },
    ids: IDS,
    rowsOf: () => ({ text: async () => '{}', delete: async () => undefined }),
  });
  const sold = saleOf('m0game');
  const shipped = { event: 'ReceiptShipped', of: { resource: 'receipt', id: 'm0r' }, payload: 'record' };
  for (const event of [sold, shipped]) await outbox.publishWithin(query, [event], 1).catch(() => undefined);
  const about = { id: 'm0hook', user_id: 'm0user', owner_id: 'm0owner', callback_uri: 'https://x/', api_key_id: null };
  for (const [owner_class, event] of [
    ['Designer', 'ItemSold'],
    ['User', 'ReceiptShipped'],
  ]) {
    const row = { ...about, owner_class, event, failures_since_last_success: 0 };
    await outbox.publishWithin(query, [{ kind: 'updated', row }], 1).catch(() => undefined);
  }
  return [...texts];
}
