// Members that are placed with the caller, such as receipts with their buyer, while the record on which they give a right is
// placed elsewhere: one statement must not read both, so the caller's memberships are read first and passed as a parameter.
import type { Clause } from '../../contract/definition.js';
import { placementOf } from '../../contract/ids.js';
import { memoize } from '../../contract/memoize.js';
import { SHARD } from '../../schema/postgres/ddl.js';
import { literal, quoted } from '../../schema/sql-text.js';
import { type Definitions, definitionOf, type MemberOf } from '../sql/access.js';
import { rowsOf } from '../sql/rows.js';
import type { Connections, Parameter } from './connections.js';
import { type NamedStatement, type NamedValues, prepareNamed, type Query, run } from './database.js';
import { POSTGRES } from './dialect.js';

type MemberClause = Extract<Clause, { member: string }>;

export interface Memberships {
  readonly memberOf: MemberOf;
  /** Adds the memberships that a statement names to its values. */
  bind(query: Query, statement: NamedStatement, bound: NamedValues): Promise<NamedValues>;
}

export function createMemberships(connections: Pick<Connections, 'prepare'>, definitions: Definitions): Memberships {
  const lookups = new Map<string, NamedStatement>();
  const parameterOf = memoize((clause: string) => {
    const name = `member${lookups.size}`;
    lookups.set(name, prepareNamed(connections, sharedValues(JSON.parse(clause) as MemberClause, definitions)));
    return name;
  });
  const lookUp = async (query: Query, name: string, user: Parameter | undefined): Promise<readonly string[]> => {
    const lookup = lookups.get(name);
    if (lookup === undefined || typeof user !== 'string') return [];
    const rows = await run(query, lookup({ user, placement: placementOf(user) }));
    return rows.flatMap(({ shared }) => (typeof shared === 'string' ? [shared] : []));
  };
  return {
    memberOf: (clause, shared) => `${shared} = ANY(@${parameterOf(JSON.stringify(clause))})`,
    async bind(query, { names }, bound) {
      // Nothing is remembered for a statement: each order that a request makes up for a list has another one.
      const memberships = names.filter((name) => lookups.has(name));
      if (memberships.length === 0) return bound;
      const values = await Promise.all(memberships.map(async (name) => [name, await lookUp(query, name, bound.user)]));
      return { ...bound, ...Object.fromEntries(values) };
    },
  };
}

/** Selects the values that members of `@user` share with the records on which they give a right. */
function sharedValues({ member, by, user, in: list, where = {} }: MemberClause, definitions: Definitions): string {
  const conditions = [
    `x.${quoted(SHARD)} = @placement AND x.${quoted(user)} = @user`,
    ...Object.entries(where).map(([column, value]) => POSTGRES.same(`x.${quoted(column)}`, literal(value))),
  ];
  const [shared, items] =
    list === undefined
      ? [`x.${quoted(by)}`, '']
      : [`item.value ->> ${literal(by)}`, `, json_array_elements(x.${quoted(list)}::json) item`];
  const from = `${rowsOf(definitionOf(definitions, member), 'x')}${items}`;
  return `SELECT DISTINCT ${shared} AS "shared" FROM ${from} WHERE ${conditions.join(' AND ')}`;
}
