// The reason why a server does not start, in one line for the operator. It is never part of a response.

/** The message is one line and says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';

  /** @param code the code of the system error that is the reason */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}
