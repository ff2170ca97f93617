// Finds the hooks of an owner. Where rows are placed, a table repeats the subscriptions at the placement of the owner, so that
// the hooks of an event are found on one shard, whoever created them; on SQLite, the rows of the hooks are enough.
import { placementOf } from '../../contract/ids.js';
import type { HookRow } from '../../rules/hooks.js';
import type { Dialect } from '../sql/dialect.js';
import type { Parameters } from '../unit.js';

const COLUMNS = ['owner_id', 'event', 'webhook_id'];

/** The values of one subscription, which may outlast its hook, or an update of the hook. */
export function subscriptionOf({ id, owner_id, event }: HookRow): Parameters {
  return { placement: placementOf(owner_id), owner_id, event, webhook_id: id };
}

export function subscriptionStatements(dialect: Dialect) {
  const [table, hook] = dialect.isPlaced ? ['webhook_subscription', 'webhook_id'] : ['webhook', 'id'];
  const ofOwner = `${dialect.placed('s', '@placement')} AND s.owner_id = @owner`;
  return {
    /** Null: the row of the hook is enough. */
    add: dialect.isPlaced ? `${dialect.insertInto(table, COLUMNS)} ON CONFLICT DO NOTHING` : null,
    remove: dialect.isPlaced
      ? `DELETE FROM ${table} AS s WHERE ${COLUMNS.map((column) => `s.${column} = @${column}`).join(' AND ')} ` +
        `AND ${dialect.placed('s', '@placement')}`
      : null,
    ofEvent: `SELECT s.${hook} AS id FROM ${table} s WHERE ${ofOwner} AND s.event = @event`,
    ofOwner: `SELECT DISTINCT s.${hook} AS id FROM ${table} s WHERE ${ofOwner}`,
  };
}
