// Transcribes "Events" and the web hook rows of "States and transitions" and "Limits".
import type { JsonType } from './table.js';

export interface DocumentedEvent {
  readonly ownerClass: 'Designer' | 'User';
  /** Resource of the owner_id. */
  readonly owner: 'designer' | 'user';
  readonly trigger: string;
  /** JSON type by dotted path, or the resource whose record the payload is. */
  readonly payload: Readonly<Record<string, JsonType>> | { readonly record: 'receipt' };
}

export const events: Readonly<Record<'ItemSold' | 'ReceiptRefunded' | 'ReceiptShipped', DocumentedEvent>> = {
  ItemSold: {
    ownerClass: 'Designer',
    owner: 'designer',
    trigger: 'a Game has been sold',
    payload: {
      'item.quantity': 'integer',
      'item.name': 'string',
      'item.sku_id': 'string',
      'item.price_each': 'string',
      'item.shop_uri': 'string',
      'shipping_address.city': 'string',
      'shipping_address.state': 'string',
      'shipping_address.country': 'string',
    },
  },
  ReceiptRefunded: {
    ownerClass: 'User',
    owner: 'user',
    trigger: 'a Receipt has been refunded',
    payload: { record: 'receipt' },
  },
  ReceiptShipped: {
    ownerClass: 'User',
    owner: 'user',
    trigger: 'a Receipt has been marked shipped; shipments included',
    payload: { record: 'receipt' },
  },
};

/** Form parameters of the POST, and the keys of the message. */
export const formParameters = ['epoch', 'message', 'hmac'] as const;
export const messageKeys = ['id', 'owner_class', 'owner_id', 'event', 'type', 'payload'] as const;

/** Values of `type`, with the payload of each. */
export const callbackTypes = {
  subscribe: 'empty',
  unsubscribe: 'empty',
  data: 'event',
  test: 'given',
} as const;

/** hmac = hex(HMAC-SHA256(private_key, epoch + '.' + message)). */
export const signature = { algorithm: 'sha256', encoding: 'hex', separator: '.' } as const;

/** The only status of a callback that counts as success. */
export const successStatus = 200;
