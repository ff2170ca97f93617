// What a create or update passes to the store. Passwords are hashed here, so no store ever sees their text.
import type { Input } from '../definition.js';
import { type Failure, ServiceError } from '../errors.js';
import type { Change } from '../store/records.js';
import type { Call } from './call.js';
import type { InputSchema } from './input-schema.js';

/** Hashes a password with a memory-hard function; requests are queued per `client`, so that none blocks the others. */
export type HashPassword = (text: string, client: string) => Promise<string>;

/** The change of `call`; if there are failures, passwords are left out instead of hashed: the store refuses it anyway. */
export async function changeOf(
  call: Call,
  intake: InputSchema,
  { input, failures }: { readonly input: Input; readonly failures: readonly Failure[] },
  hashPassword: HashPassword,
): Promise<Change> {
  const { definition, caller, now, upload, once } = call;
  for (const name of passwordsIn(intake, input)) {
    if (failures.length > 0) delete input[name];
    else input[name] = await hashPassword(input[name] as string, caller.user ?? '');
  }
  return { resource: definition.name, caller, input, failures, now, upload, ...(once && { once }) };
}

/** Names of the passwords that are set to a new text. */
export function passwordsIn({ parameters }: InputSchema, input: Input): readonly string[] {
  return Object.keys(input).filter((name) => {
    const { kind, proves } = parameters.get(name) ?? {};
    return kind === 'password' && proves === undefined && input[name] !== null;
  });
}

/** Runs a write; if it is refused, the error lists the parameters that had no effect. */
export async function reportingIgnored<T>(ignored: readonly string[], write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof ServiceError) error.ignored = ignored;
    throw error;
  }
}
