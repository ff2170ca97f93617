// The reason why a server does not start, in one line for the operator. It is never part of a response.

/** The message is one line and says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The error of a command that reads tables or columns that the database lacks. */
export function otherSchema({ message }: Error): StartError {
  return new StartError(
    `the database has another schema than this program (${message}): ` +
      'start the server on it, or run `punchboard migrate apply`',
  );
}
