// Memberships are read before a statement on PostgreSQL; the statement itself is not kept.

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

test('statements that are composed for a request are not kept', async () => {
  const { bind } = createMemberships(connections, new Map());
  const references: WeakRef<NamedStatement>[] = [];
  for (let requests = 0; requests < 100; requests += 1) {
    const statement: NamedStatement = Object.assign(() => ({ statement: null as never, values: [] }), {
      names: ['id'],
    });
    references.push(new WeakRef(statement));
    expect(await bind(async () => [], statement, { id: requests })).toEqual({ id: requests });
  }
  // The target of a new weak reference is kept until this turn of the event loop ends.
  await new Promise(setImmediate);
  collectGarbage();
  // This function may still hold the last statement.
  expect(references.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(2);
});
