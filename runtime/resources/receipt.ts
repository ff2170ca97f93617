// Publishes the events of a receipt: sale, shipment and refund (D36).

import type { Actions, Event, Lifecycles } from '../../generated/behaviour.js';
import type { ReceiptRow } from '../../generated/resources/receipt.js';
import { ServiceError } from '../contract/errors.js';

export const lifecycle: Lifecycles['receipt'] = {
  afterCreate: (_old, row) => ({ events: sales(row) }),
};

export const actions: Actions['receipt'] = {
  ship(row, { shipments = [] }, now) {
    if (row.shipped !== null) throw new ServiceError('conflict', 'The receipt has already been shipped.');
    return {
      changes: { shipped: now, shipments: JSON.stringify(shipments) },
      events: [of(row, 'ReceiptShipped')],
    };
  },
  refund(row, _input, now) {
    if (row.refunded !== null) throw new ServiceError('conflict', 'The receipt has already been refunded.');
    return { changes: { refunded: now }, events: [of(row, 'ReceiptRefunded')] };
  },
};

/** An item that the descriptor's schema has validated; prices stay decimal text, as they were sent. */
interface Item {
  readonly game_id: string;
  readonly quantity?: number;
  readonly name?: string;
  readonly sku_id?: string;
  readonly price_each?: string;
  readonly shop_uri?: string;
}

/** One event for each item, about its game. */
function sales({ items, shipping_address }: ReceiptRow): readonly Event[] {
  const address = JSON.parse(shipping_address ?? '{}') as Readonly<Record<string, string>>;
  return (JSON.parse(items) as readonly Item[]).map(
    ({ game_id, quantity, name, sku_id, price_each, shop_uri }, index) => ({
      event: 'ItemSold',
      of: { resource: 'game', id: game_id },
      payload: { item: { quantity, name, sku_id, price_each, shop_uri }, shipping_address: address },
      parameter: `items/${index}/game_id`,
    }),
  );
}

function of({ id }: ReceiptRow, event: 'ReceiptShipped' | 'ReceiptRefunded'): Event {
  return { event, of: { resource: 'receipt', id }, payload: 'record' };
}
