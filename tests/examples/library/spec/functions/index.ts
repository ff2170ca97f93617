// A copy comes back once, and its reader is told how late.

import { type Actions, type Event, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

const DAY = 86_400_000;

export const lifecycles: Lifecycles = {};

export const actions: Actions = {
  loan: {
    return(row, _input, now) {
      if (row.returned !== null) throw new ServiceError('conflict', 'The copy is back already.');
      const days_late = Math.max(0, Math.ceil((now - row.due) / DAY));
      const of = { resource: 'loan', id: row.id } as const;
      const returned: Event = { event: 'CopyReturned', of, payload: { days_late } };
      return { changes: { returned: now }, events: [returned] };
    },
  },
};
