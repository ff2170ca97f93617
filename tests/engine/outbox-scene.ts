// The people of a sale and their hooks on a fixture, and the course of a delivery from event to outcome.

import type { Attempt, Outcome } from '../../runtime/rules/delivery.js';
import type { HookRow } from '../../runtime/rules/hooks.js';
import type { OutboxFixture, StoredOutboxRow } from './outbox-fixture.js';

export const NOW = Date.UTC(2026, 0, 1);
export const HOUR = 3_600_000;
/** Name of the server, and how long its leases last. */
export const SERVER = 'server';
export const LEASE = 40_000;
export const SUCCESS: Outcome = { class: 'success' };
export const REFUSED: Outcome = { class: 'status', status: 500 };

export interface OutboxScene extends OutboxFixture {
  /** The time of the next action, in epoch milliseconds. */
  now: number;
  readonly maker: string;
  /** Another user, on the maker's shard, and one on another shard. */
  readonly neighbour: string;
  readonly buyer: string;
  readonly designer: string;
  readonly game: string;
  readonly key: string;
  /** Inserts a record; resolves with its id. */
  make(table: string, placement: string, row: StoredOutboxRow): Promise<string>;
  /** A hook of the maker for the designer's sales, with the given changes; resolves with its id. */
  subscribe(more?: Partial<HookRow>): Promise<string>;
  hook(id: string): Promise<StoredOutboxRow | undefined>;
  /** A copy of the game is sold. */
  sell(): Promise<void>;
  /** Claims one due attempt of the hook. */
  claimOne(hook: string, server?: string): Promise<Attempt>;
  /** Settles one outcome; resolves with whether it was current. */
  settle(attempt: Attempt, outcome: Outcome): Promise<boolean | undefined>;
  /** Claims and settles one attempt of the hook. */
  attempted(hook: string, outcome: Outcome): Promise<Attempt>;
}

export async function outboxScene(fixture: OutboxFixture): Promise<OutboxScene> {
  const dated = (now: number) => ({ date_created: now, date_updated: now });
  const make = async (table: string, placement: string, row: StoredOutboxRow): Promise<string> => {
    const id = fixture.ids.next(placement, scene.now);
    await fixture.put(table, { id, ...dated(scene.now), ...row });
    return id;
  };
  const person = (placement: string, username: string) =>
    make('user', placement, { username, password: '-', email: `${username}@x.org` });
  const actions = attemptsOf(fixture, () => scene.now);
  const scene: OutboxScene = Object.assign({ ...fixture }, actions, {
    now: NOW,
    ...{ maker: '', neighbour: '', buyer: '', designer: '', game: '', key: '' },
    make,
    async subscribe(more: Partial<HookRow> = {}) {
      const { maker: user_id, designer: owner_id, key: api_key_id, now } = scene;
      const about = { owner_class: 'Designer', owner_id, event: 'ItemSold', format: 'form' };
      const row = { user_id, ...about, callback_uri: 'https://receiver.example/hook', api_key_id, ...more };
      const id = await make('webhook', row.user_id.slice(0, 2), row as StoredOutboxRow);
      const stored = { ...row, id, failures_since_last_success: 0 };
      await fixture.publishWithin([{ kind: 'subscribed', row: stored }], now);
      return id;
    },
    hook: async (id: string) => (await fixture.rows('webhook')).find((row) => row.id === id),
    sell: () => fixture.publishWithin([saleOf(scene.game)], scene.now),
  });
  const maker = await person('m0', 'maker');
  const designer = await make('designer', 'm0', { name: 'Lot Games', user_id: maker });
  return Object.assign(scene, {
    ...{ maker, designer },
    neighbour: await person('m0', 'neighbour'),
    buyer: await person('b1', 'buyer'),
    game: await make('game', 'm0', { name: 'Lots', designer_id: designer }),
    key: await make('apikey', 'm0', { name: 'shop', user_id: maker, private_key: 'the secret', scope: 'read' }),
  });
}

/** One copy of a game was sold. */
export function saleOf(game: string) {
  const payload = { item: { quantity: 1 }, shipping_address: {} };
  return { event: 'ItemSold', of: { resource: 'game', id: game }, payload, parameter: 'game_id' };
}

function attemptsOf(
  { outbox }: OutboxFixture,
  now: () => number,
): Pick<OutboxScene, 'claimOne' | 'settle' | 'attempted'> {
  const claimOne = async (hook: string, server = SERVER): Promise<Attempt> => {
    const [attempt, ...more] = await outbox.claim([hook], now(), now() + LEASE, server);
    if (attempt === undefined || more.length > 0)
      throw new Error(`${more.length + (attempt ? 1 : 0)} attempts claimed`);
    return attempt;
  };
  const settle = async (attempt: Attempt, outcome: Outcome): Promise<boolean | undefined> => {
    const [current] = await outbox.settle([{ attempt, outcome, ended: now() }]);
    return current;
  };
  return {
    claimOne,
    settle,
    async attempted(hook, outcome) {
      const attempt = await claimOne(hook);
      await settle(attempt, outcome);
      return attempt;
    },
  };
}
