// Why a command fails: a mistake that its operator can fix.

/** The message is one line; the command prints it and exits with 1. */
export class CommandError extends Error {}
