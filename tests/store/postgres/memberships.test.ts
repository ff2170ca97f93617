// What is read of memberships before a statement on PostgreSQL: nothing is kept of the statement itself.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { NamedStatement } from '../../../runtime/store/postgres/database.js';
import { createMemberships } from '../../../runtime/store/postgres/memberships.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const connections = {
  prepare: () => {
    throw new Error('no statement is prepared');
  },
};

test('statements that requests have made up are not kept', async () => {
  const { bind } = createMemberships(connections, new Map());
  const seen: WeakRef<NamedStatement>[] = [];
  for (let requests = 0; requests < 100; requests += 1) {
    const statement: NamedStatement = Object.assign(() => ({ statement: null as never, values: [] }), {
      names: ['id'],
    });
    seen.push(new WeakRef(statement));
    expect(await bind(async () => [], statement, { id: requests })).toEqual({ id: requests });
  }
  // What a weak reference has been made of is kept until the event loop goes on.
  await new Promise(setImmediate);
  collectGarbage();
  // This function may still hold the last statement.
  expect(seen.filter((one) => one.deref() !== undefined).length).toBeLessThan(2);
});
