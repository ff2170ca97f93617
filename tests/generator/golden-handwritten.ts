// What a hand writes for the golden spec. It compiles only while it has all that the descriptors declare.
import type { Behaviours } from '../../runtime/behaviour.js';
import { ServiceError } from '../../runtime/errors.js';
import type { Actions } from '../../runtime/operations/action.js';
import type * as declared from './golden/expected/behaviour.js';

/** Labels of parcels, in the order they were made. */
export const made: string[] = [];

export const behaviours: Behaviours = {
  crate: {
    beforeCreate: (_old, row) => ({ changes: { label: row.label.trim() } }),
    beforeUpdate(old, row) {
      if (row.capacity < old.capacity) throw new ServiceError('conflict', 'A crate does not shrink.');
      return { changes: { moves: (old.moves ?? 0) + 1 } };
    },
    afterUpdate: (_old, row) => ({ events: [row.label] }),
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
} satisfies declared.Lifecycles;

export const actions: Actions = {
  crate: {
    weigh: ({ id }, { scale, tare }) => ({ status: 200, body: JSON.stringify({ id, scale, tare: tare ?? null }) }),
    open: async ({ id, caller }) => ({ status: 200, body: JSON.stringify({ opened: id, admin: caller.admin }) }),
  },
} satisfies declared.Actions;
