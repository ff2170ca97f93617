// What the descriptors cannot say. Each function runs in the transaction of its request: what it returns is written with it.

import { type Actions, type Event, type Lifecycles, ServiceError } from '../../generated/behaviour.js';

const DAY = 86_400_000;

export const lifecycles: Lifecycles = {};

export const actions: Actions = {
  task: {
    finish(row, _input, now) {
      if (row.finished !== null) throw new ServiceError('conflict', 'The task is finished already.');
      const days = row.due === null ? 0 : Math.max(0, Math.floor((row.due - now) / DAY));
      const of = { resource: 'task', id: row.id } as const;
      const finished: Event = { event: 'TaskFinished', of, payload: { title: row.title, days } };
      return { changes: { finished: now }, events: [finished] };
    },
  },
};
