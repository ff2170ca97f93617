// An order is paid once, and web hooks hear of it.

import { type Actions, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

export const lifecycles: Lifecycles = {};

export const actions: Actions = {
  purchase: {
    pay(row, _input, now) {
      if (row.paid !== null) throw new ServiceError('conflict', 'The order is paid already.');
      return {
        changes: { paid: now },
        events: [{ event: 'OrderPaid', of: { resource: 'purchase', id: row.id }, payload: 'record' }],
      };
    },
  },
};
