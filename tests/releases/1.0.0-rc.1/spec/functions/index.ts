// Functions as somebody may have written them for this release.

import { type Actions, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

export const lifecycles: Lifecycles = {
  crate: {
    beforeCreate: (_old, row) => ({ changes: { label: row.label.trim() } }),
    beforeUpdate(old, row) {
      if (row.capacity < old.capacity) throw new ServiceError('conflict', 'A crate does not shrink.');
      return { changes: { moves: (old.moves ?? 0) + 1 } };
    },
    afterUpdate: (_old, row) => ({
      events: [{ event: 'CrateOpened', of: { resource: 'crate', id: row.id }, payload: 'record' }],
    }),
    beforeDelete(old) {
      if ((old.moves ?? 0) > 1) throw new ServiceError('conflict', 'A crate that travelled is kept.');
      return undefined;
    },
  },
  parcel: { afterCreate: () => undefined },
};

export const actions: Actions = {
  crate: {
    weigh: (row, { scale, tare = 0 }) => ({ changes: { label: `${row.label}, ${scale}`, moves: tare } }),
    open(row) {
      if (row.moves === 0) throw new ServiceError('conflict', 'A crate that never moved is not opened.');
      return undefined;
    },
  },
};
