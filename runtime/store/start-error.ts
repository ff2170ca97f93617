// Why a server does not start, in one line for the operator. Never part of a response.

/** The message is one line and says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What a command says that reads a database without the tables or columns it asks for. */
export function otherSchema({ message }: Error): StartError {
  return new StartError(
    `the database has another schema than this program (${message}): ` +
      'start the server on it, or run `punchboard migrate apply`',
  );
}
