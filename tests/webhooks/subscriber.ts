// A user with a designer, a game, a key and web hooks, created over HTTP as a client would.

import { clientOf } from '../support/client.js';

export interface Subscriber {
  readonly session: string;
  readonly designer: string;
  readonly game: string;
  readonly key: { readonly id: string; readonly secret: string };
}

export interface HookRecord {
  readonly id: string;
  readonly failures_since_last_success: number;
  readonly date_updated: string;
}

export async function makeSubscriber(address: string, session: string): Promise<Subscriber> {
  const make = maker(address, session);
  const designer = (await make('designer', { name: 'Lantern' })).id;
  const game = (await make('game', { name: 'Harbour', designer_id: designer })).id;
  const { id, private_key } = await make('apikey', { name: 'Till' });
  return { session, designer, game, key: { id, secret: private_key } };
}

/** A hook for ItemSold of the subscriber's designer. */
export async function subscribe(
  address: string,
  by: Subscriber,
  callback_uri: string,
  format?: 'standard',
): Promise<HookRecord> {
  const { session, designer, key } = by;
  const owner = { event: 'ItemSold', owner_class: 'Designer', owner_id: designer };
  return maker(address, session)('webhook', { ...owner, callback_uri, api_key_id: key.id, ...(format && { format }) });
}

/** Enters a sale of one copy as an administrator. Returns its id. @param sku identifies the sale in the payload */
export async function sell(
  address: string,
  by: { readonly admin: string; readonly buyer: string },
  { game, sku }: { readonly game: string; readonly sku: string },
): Promise<string> {
  const items = [
    { game_id: game, quantity: 1, name: 'Harbour', sku_id: sku, price_each: '19.99', shop_uri: '/games/h' },
  ];
  const shipping_address = { city: 'Lyon', state: '69', country: 'FR' };
  return (await maker(address, by.admin)('receipt', { user_id: by.buyer, items, shipping_address })).id;
}

function maker(address: string, session: string) {
  const send = clientOf(address);
  return async (resource: string, parameters: Record<string, unknown>) => {
    const { status, body, text } = await send('POST', `/api/${resource}`, { session, parameters });
    if (status !== 201) throw new Error(`POST /api/${resource}: ${status} ${text}`);
    return body;
  };
}
