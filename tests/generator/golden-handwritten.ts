// The hand-written code of the golden spec, which compiles only while it has everything that the descriptors declare.
import type { Actions, Behaviours } from '../../runtime/contract/behaviour.js';
import { ServiceError } from '../../runtime/contract/errors.js';
import type * as declared from './golden/expected/behaviour.js';

/** Labels of parcels, in the order of their creation. */
export const made: string[] = [];

export const behaviours: Behaviours = {
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
  parcel: {
    afterCreate(_old, row) {
      made.push(row.label);
      return undefined;
    },
  },
} satisfies declared.Lifecycles as Behaviours;

export const actions: Actions = {
  crate: {
    weigh: (row, { scale, tare = 0 }) => ({ changes: { label: `${row.label}, ${scale}`, moves: tare } }),
    open(row) {
      if (row.moves === 0) throw new ServiceError('conflict', 'A crate that never moved is not opened.');
      return undefined;
    },
  },
} satisfies declared.Actions as Actions;
