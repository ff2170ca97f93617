// Reports on accounts, API keys and the audit log of a database that is only read. An older schema may lack any of them.
import type { AnyDefinition } from '../contract/definition.js';
import type { MaybePromise } from '../contract/maybe-promise.js';
import { createAudits } from './audit-log.js';
import type { OperatorAccess, OperatorReports } from './commands.js';
import type { ListedKey } from './engine.js';
import { createAccounts, keyStatements } from './identity.js';
import { StartError } from './start-error.js';
import type { Database } from './unit.js';

/** Whether an error says that the schema lacks a table or a column. */
export type IsUnknown = (error: unknown) => boolean;

/** The reports throw StartError if the schema lacks their tables or columns. */
export function createOperatorReports(
  database: Database,
  { principal, apiKeys }: OperatorAccess,
  isUnknown: IsUnknown,
): OperatorReports {
  const explaining = explainUnknown(isUnknown);
  const keys = createUserKeys(database, principal, apiKeys);
  return {
    keys: keys && ((username) => explaining(() => keys(username))),
    accounts: (page) => explaining(() => createAccounts(database, principal)(page)),
    audits: (page) => explaining(() => createAudits(database)(page)),
  };
}

/** @returns a function that runs a read, and throws StartError if the schema lacks what it reads */
export function explainUnknown(isUnknown: IsUnknown) {
  return async <T>(read: () => T): Promise<Awaited<T>> => {
    try {
      return await read();
    } catch (error) {
      throw isUnknown(error) ? otherSchema(error as Error) : error;
    }
  };
}

function otherSchema({ message }: Error): StartError {
  return new StartError(
    `the database has another schema than this program (${message}): ` +
      'start the server on it, or run `punchboard migrate apply`',
  );
}

/** Returns a function that lists the API keys of a user; null in a project whose keys have no tokens. */
export function createUserKeys(
  { read, dialect }: Database,
  principal: AnyDefinition,
  apiKeys: AnyDefinition | null,
): ((username: string) => MaybePromise<readonly ListedKey[] | null>) | null {
  const statement = apiKeys && keyStatements(dialect, principal, apiKeys)?.ofUser;
  if (statement == null) return null;
  return (username) =>
    read(function* (queries) {
      const rows = yield* queries.rows<ListedKeyRow>(statement, { username });
      if (rows.length === 0) return null;
      return rows.flatMap((row) => (row.id === null ? [] : [listedKey(row.id, row)]));
    });
}

function listedKey(id: string, { name, scope, resources, expires, used, version }: ListedKeyRow): ListedKey {
  return {
    ...{ id, name, scope },
    resources: resources === null ? null : JSON.parse(resources),
    expires: dateOf(expires),
    last_used: dateOf(used),
    api_version: version,
  };
}

/** A row of the statement; the only row of a user without keys has no id. */
interface ListedKeyRow extends Pick<ListedKey, 'name' | 'scope'> {
  readonly id: string | null;
  readonly resources: string | null;
  readonly expires: number | null;
  readonly used: number | null;
  readonly version: string | null;
}

function dateOf(time: number | null): string | null {
  return time === null ? null : new Date(Number(time)).toISOString();
}
