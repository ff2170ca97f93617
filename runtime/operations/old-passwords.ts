// Changing a password requires the old one (D47): `old_<name>` next to `<name>`. Administrators do not need it.

import type { Input } from '../definition.js';
import type { Failure } from '../errors.js';
import type { Records } from '../store/records.js';
import type { Call } from './call.js';
import type { InputSchema } from './input-schema.js';

/** Whether the text is the password of a stored hash. */
export type VerifyPassword = (text: string, stored: string) => Promise<boolean>;

/** Removes the old passwords from the input, and returns them by the password they prove: no store ever sees their text. */
export function takeOldPasswords({ parameters }: InputSchema, input: Input): ReadonlyMap<string, OldPassword> {
  const taken = new Map<string, OldPassword>();
  for (const [parameter, { proves }] of parameters) {
    if (proves === undefined) continue;
    const text = input[parameter];
    delete input[parameter];
    taken.set(proves, { parameter, text: typeof text === 'string' ? text : null });
  }
  return taken;
}

export interface OldPassword {
  /** Its own name. */
  readonly parameter: string;
  /** Null: not sent. */
  readonly text: string | null;
}

interface Source {
  readonly store: Pick<Records, 'secret'>;
  readonly verifyPassword: VerifyPassword;
}

/** What is wrong with the old passwords of those that `input` changes. A password that was never set needs no old one. */
export async function oldPasswordFailures(
  { definition, id, caller }: Call,
  input: Input,
  old: ReadonlyMap<string, OldPassword>,
  { store, verifyPassword }: Source,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const [password, { parameter, text }] of old) {
    if (caller.admin || input[password] === undefined) continue;
    const stored = await store.secret(definition.name, id, password);
    if (stored === null) continue;
    if (text === null) {
      failures.push({ field: parameter, code: 'required', message: `${parameter} is required to change ${password}.` });
    } else if (!(await verifyPassword(text, stored))) {
      failures.push({ field: parameter, code: 'invalid', message: `${parameter} is not the current ${password}.` });
    }
  }
  return failures;
}
