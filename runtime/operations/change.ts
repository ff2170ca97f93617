// What a create or update passes to the store. Passwords are hashed here, so no store ever sees their text.
import type { Input } from '../definition.js';
import { type Failure, ServiceError } from '../errors.js';
import type { Change } from '../store/records.js';
import type { Call } from './call.js';
import type { InputSchema } from './input-schema.js';

/** Text of a password to its memory-hard hash; whoever wants many, by `client`, waits behind their own. */
export type HashPassword = (text: string, client: string) => Promise<string>;

/** The change of `call`; with failures, passwords are left out instead of hashed: the store will refuse it anyway. */
export async function changeOf(
  call: Call,
  intake: InputSchema,
  { input, failures }: { readonly input: Input; readonly failures: readonly Failure[] },
  hashPassword: HashPassword,
): Promise<Change> {
  const { definition, caller, now, upload } = call;
  for (const name of passwordsIn(intake, input)) {
    if (failures.length > 0) delete input[name];
    else input[name] = await hashPassword(input[name] as string, caller.user ?? '');
  }
  return { resource: definition.name, caller, input, failures, now, upload };
}

/** Names of the passwords that are set to a new text. */
export function passwordsIn({ parameters }: InputSchema, input: Input): readonly string[] {
  return Object.keys(input).filter((name) => {
    const { kind, proves } = parameters.get(name) ?? {};
    return kind === 'password' && proves === undefined && input[name] !== null;
  });
}

/** Runs a write; when it is refused, the parameters that had no effect are told with the error. */
export async function tellingIgnored<T>(ignored: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ServiceError) error.ignored = ignored;
    throw error;
  }
}
