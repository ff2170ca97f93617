// Creates a delivery of type test: in flight from the start, and under its own lease, so that it holds up no other delivery.
import { ServiceError } from '../../contract/errors.js';
import { placementOf } from '../../contract/ids.js';
import type { HookRow } from '../../rules/hooks.js';
import { type HookSecrets, secretsAt } from '../../rules/secrets.js';
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { OutboxContext } from './context.js';
import type { DeliveryRows } from './deliveries.js';
import { secretStatements } from './secrets.js';

export function createTest({ transact, dialect, ids }: OutboxContext, deliveries: DeliveryRows): Outbox['test'] {
  const statements = testStatements(dialect);
  return (hook, { payload, now, server }) =>
    transact(function* (unit) {
      const placement = placementOf(hook);
      const row = yield* unit.row<HookRow & { readonly key: string | null }>(statements.find, { placement, hook });
      const stored = yield* unit.row<HookSecrets>(statements.secrets, { placement, hook });
      if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
      const attempt = ids.next(placement, now);
      const { id, message } = deliveries.add(unit, row, { type: 'test', payload, attempt }, now);
      unit.hold(statements.lease, { placement, subject: id, attempt_id: attempt, server, until: now });
      const { callback_uri: uri, key } = row;
      const secrets = stored && secretsAt(stored, now);
      return { id: attempt, delivery: id, hook, type: 'test', message, uri, key, ...secrets, failed: 0, started: now };
    });
}

export function testStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  return {
    find:
      `SELECT w.*, k.private_key AS key FROM webhook w LEFT JOIN apikey k ON ${at('k')} AND k.id = w.api_key_id ` +
      `AND k.user_id = w.user_id WHERE ${at('w')} AND w.id = @hook`,
    secrets: secretStatements(dialect).find,
    lease: dialect.insertInto('webhook_lease', ['subject', 'attempt_id', 'server', 'until']),
  };
}
