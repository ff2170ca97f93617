// Composes what a create or update passes to the store. Passwords are hashed here, so no store ever sees their text.
import type { AnyDefinition, Input } from '../contract/definition.js';
import { type Failure, ServiceError } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import { hashOfToken, withToken } from '../contract/tokens.js';
import type { Change, Created } from '../store/records.js';
import type { Call } from './call.js';
import type { InputSchema } from './input-schema.js';

/** Hashes a password with a memory-hard function; requests are queued per `client`, so that none blocks the others. */
export type HashPassword = (text: string, client: string) => Promise<string>;

/** Creates the random text of a token. */
export type NewSecret = () => string;

/** The functions that create secrets for a new record. */
export interface Secrets {
  readonly hashPassword: HashPassword;
  readonly newSecret: NewSecret;
}

/** The change of a create, with the hash of its token; `shown` adds the token to the new record's text once the id is known. */
export function withNewToken(change: Change, { token }: AnyDefinition, newSecret: NewSecret) {
  if (token === undefined) return { change, shown: ({ text }: Created) => text };
  const secret = newSecret();
  return {
    change: { ...change, token: hashOfToken(secret) },
    shown: ({ id, text, existed, isReplay }: Created) =>
      existed || isReplay ? text : withToken(text, token, { id, secret }),
  };
}

/** The change of `call`; if there are failures, passwords are left out instead of hashed: the store refuses the change anyway. */
export function changeOf(
  call: Call,
  schema: InputSchema,
  { input, failures }: { readonly input: Input; readonly failures: readonly Failure[] },
  hashPassword: HashPassword,
): MaybePromise<Change> {
  const { definition, caller, now, upload, idempotencyKey, conditions } = call;
  const optional = { ...(idempotencyKey && { idempotencyKey }), ...(conditions && { conditions }) };
  const change: Change = { resource: definition.name, caller, input, failures, now, upload, ...optional };
  const passwords = schema.passwords.filter((name) => typeof input[name] === 'string');
  if (passwords.length === 0) return change;
  return chain(replaceAll(passwords, change, hashPassword), () => change);
}

async function replaceAll(names: readonly string[], { caller, input, failures }: Change, hash: HashPassword) {
  for (const name of names) {
    if (failures.length > 0) delete input[name];
    else input[name] = await hash(input[name] as string, caller.user ?? '');
  }
}

/** The error of a write; a refusal lists the parameters that had no effect. */
export function withIgnored(error: unknown, ignored: readonly string[]): unknown {
  if (error instanceof ServiceError) error.ignored = ignored;
  return error;
}
