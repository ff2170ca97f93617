// Finds out from EXPLAIN whether Citus runs a statement on one shard.
import { Client } from 'pg';
import type { Call, Connections } from '../../runtime/store/postgres/connections.js';

export interface RememberingConnections extends Connections {
  /** The texts of all statements. */
  readonly prepared: ReadonlySet<string>;
  /** One call of each statement, by its text. */
  readonly calls: ReadonlyMap<string, Call>;
  /** Returns these calls and forgets them. */
  take(): readonly Call[];
}

/** Connections that remember their statements, except those of `session`, which work on the schema. */
export function remembering(connections: Connections): RememberingConnections {
  const prepared = new Set<string>();
  const calls = new Map<string, Call>();
  const remember = (call: Call): void => {
    if (!calls.has(call.statement.text)) calls.set(call.statement.text, call);
  };
  const remembering =
    (query: Connections['query']): Connections['query'] =>
    (statement, values) => {
      remember({ statement, values });
      return query(statement, values);
    };
  return {
    ...connections,
    prepared,
    calls,
    take() {
      const all = [...calls.values()];
      calls.clear();
      return all;
    },
    prepare: (text) => {
      prepared.add(text);
      return connections.prepare(text);
    },
    query: remembering(connections.query),
    transaction: (all) => {
      for (const call of all) remember(call);
      return connections.transaction(all);
    },
    interactive: (work) =>
      connections.interactive((query, hold, send) => work(remembering(query), remembering(hold), send)),
  };
}

export interface UnroutedStatement {
  readonly text: string;
  readonly plan: string;
}

/** The statements that touch more than one shard. */
export async function unrouted(url: string, calls: Iterable<Call>): Promise<readonly UnroutedStatement[]> {
  const client = new Client(url);
  await client.connect();
  const unroutedStatements: UnroutedStatement[] = [];
  for (const { statement, values } of calls) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${statement.text}`, [...values]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    if (!isRouted(plan)) unroutedStatements.push({ text: statement.text, plan });
  }
  await client.end();
  return unroutedStatements;
}

/** A routed plan has one task, or none if a value is null. Parts of a statement that are planned separately have tasks, too. */
function isRouted(plan: string): boolean {
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  return tasks.length <= 1 && (tasks[0] ?? 0) <= 1 && !/Distributed Subplan|INSERT\/SELECT method/.test(plan);
}
