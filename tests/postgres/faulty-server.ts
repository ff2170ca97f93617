// Preloaded into a server: makes the mistakes that the test of kills must detect. It ignores leases, and acknowledges sales
// whose transactions it rolls back.

import type { Call, ConnectionOptions, Connections, Row } from '../../runtime/store/postgres/connections.js';

type Work = Parameters<Connections['interactive']>[0];

function withoutLeases(text: string): string {
  return text
    .replace(/webhook_lease\.until <= (\$\d+)/, '$1::bigint IS NOT NULL')
    .replace(/\bl\.until > (\$\d+)/g, '$1::bigint IS NULL')
    .replace(/((d\.)?lease) IS NULL OR (d\.)?lease <= (\$\d+)/g, '$4::bigint IS NOT NULL');
}

const UNDO = new Error('rolled back');

function faulty(connections: Connections): Connections {
  const interactive = async (work: Work): Promise<unknown> => {
    let result: unknown;
    let isSale = false;
    const watching =
      (query: Connections['query']): Connections['query'] =>
      (statement, values) => {
        isSale ||= values.some((value) => typeof value === 'string' && value.includes('sale-'));
        return query(statement, values);
      };
    const undone = connections.interactive(async (query, hold, send) => {
      result = await work(watching(query), watching(hold), send);
      if (!isSale) return;
      // A statement that has not been sent yet would fail with the reason of the rollback.
      await send();
      throw UNDO;
    });
    await undone.catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
    return result;
  };
  return {
    ...connections,
    prepare: (text) => connections.prepare(withoutLeases(text)),
    interactive: interactive as Connections['interactive'],
    transaction: (calls: readonly Call[]) =>
      interactive(async (query) => {
        const answers: (readonly Row[])[] = [];
        for (const { statement, values } of calls) answers.push(await query(statement, values));
        return answers;
      }) as ReturnType<Connections['transaction']>,
  };
}

const connecting = require('../../runtime/store/postgres/connections.js') as {
  createConnections: (options: ConnectionOptions) => Connections;
};
const { createConnections } = connecting;
connecting.createConnections = (options) => faulty(createConnections(options));
