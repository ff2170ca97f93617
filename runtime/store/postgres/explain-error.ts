// Explains to the operator in one line why PostgreSQL cannot be used at start.
import { ServiceError } from '../../contract/errors.js';
import { withoutPassword } from '../database-url.js';
import { StartError } from '../start-error.js';

/** Turns an error that an operator can fix into a StartError; returns any other error unchanged. */
export function explainError(error: unknown, database: string): unknown {
  const unreachable = error instanceof ServiceError && error.code === 'unavailable';
  const { code = '', message = '' } = Object(unreachable ? error.cause : error) as { code?: string; message?: string };
  const row = ADVICE.find(([pattern]) => pattern.test(code));
  if (row === undefined && !unreachable) return error;
  const [, advice] = row ?? [code, 'check the URL, and that the server is running'];
  return new StartError(`${withoutPassword(database)} cannot be used (${message || code}): ${advice}`);
}

/** Advice by SQLSTATE, or by the code that Node gives an error. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^ERR_INVALID_URL$/, 'write / ? # and @ in its password as %2F %3F %23 and %40'],
  [/^28/, 'check the user and the password in the URL'],
  [/^3D000$/, 'create the database first'],
  [/^3F000$/, 'create the schema that the search_path of the user names'],
  [/^25006$/, 'choose a database, and a user, whose default_transaction_read_only is off'],
  [/^42501$/, 'give the user the right to create tables in the database, and make it the owner of those that exist'],
  [/^(no sessions|26000|42P05)$/, 'behind a pooler, set its pool_mode to session, or connect directly'],
  [/^53/, 'free some space or connections on the server'],
];
