// Exchanged secrets of hooks (D63). A row outlasts its hook, whose unsubscribe is signed too.
import { ServiceError } from '../../contract/errors.js';
import { placementOf } from '../../contract/ids.js';
import type { HookRow } from '../../rules/hooks.js';
import { exchangeSecret, type HookSecrets } from '../../rules/secrets.js';
import type { Outbox } from '../outbox.js';
import type { Dialect } from '../sql/dialect.js';
import type { OutboxContext } from './context.js';
import { hookStatements } from './hooks.js';

export function createExchange(context: OutboxContext): Outbox['exchange'] {
  const { transact, dialect } = context;
  const statements = secretStatements(dialect);
  const { key } = hookStatements(context);
  return (hook, secret, now) =>
    transact(function* (unit) {
      const placement = placementOf(hook);
      const row = yield* unit.row<HookRow>(statements.lock, { placement, hook });
      if (row === undefined) throw new ServiceError('not_found', 'Web hook not found.');
      const signer = yield* unit.row<{ readonly private_key: string }>(key, {
        ...{ placement, key: row.api_key_id, user: row.user_id },
      });
      const stored = yield* unit.row<HookSecrets>(statements.find, { placement, hook });
      const after = exchangeSecret(stored, { secret, key: signer?.private_key ?? null, now });
      unit.hold(statements.store, { placement, id: hook, ...after });
      return after.ends;
    });
}

export function secretStatements(dialect: Dialect) {
  const at = (alias: string) => dialect.placed(alias, '@placement');
  const columns = ['secret', 'previous', 'ends'];
  return {
    lock: `SELECT t.* FROM webhook t WHERE ${at('t')} AND t.id = @hook${dialect.lock('change')}`,
    find: `SELECT s.secret, s.previous, s.ends FROM webhook_secret s WHERE ${at('s')} AND s.id = @hook`,
    store:
      `${dialect.insertInto('webhook_secret AS s', ['id', ...columns])} ON CONFLICT (${dialect.key('id')}) ` +
      `DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
  };
}
