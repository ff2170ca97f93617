// PUT and PATCH /api/<resource>/<id>: only what is sent changes (D18). Changing a password requires the old one (D47), as
// `old_<name>` next to `<name>`, except for administrators.

import { checkConditions } from '../contract/conditions.js';
import type { AnyDefinition, Input } from '../contract/definition.js';
import { type Failure, refusal } from '../contract/errors.js';
import { chain, type MaybePromise } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize, requireRight } from './authorize.js';
import type { Answer, Call, Parameters, Run } from './call.js';
import { changeOf, type HashPassword, withIgnored } from './change.js';
import type { InputSchema } from './input-schema.js';
import type { PlanOf } from './plan.js';
import { validateInput } from './validate.js';

/** The password functions that an update needs. */
export interface UpdatePasswords {
  readonly hashPassword: HashPassword;
  readonly verifyPassword: VerifyPassword;
}

/** Responds 200 with the record as an editor sees it. Without any known parameter nothing changes, not even the date. */
export function updateOperation(store: Records, planOf: PlanOf, passwords: UpdatePasswords): Run {
  const { hashPassword, verifyPassword } = passwords;
  return async (call) => {
    const { definition, id, caller, parameters } = call;
    authorize(definition, 'update', caller);
    const schema = planOf(definition).update;
    const validated = validateInput(schema, parameters, caller);
    const { input, ignored } = validated;
    const failures =
      definition.removed === undefined ? validated.failures : keepRemoved(definition.removed, validated, parameters);
    const old = schema.oldPasswords.size === 0 ? NOT_NEEDED : takeOldPasswords(schema, input);
    const nothing = failures.length === 0 && Object.keys(input).length === 0;
    const changesPassword = schema.passwords.some((name) => input[name] !== undefined);
    // The right is checked before hashing: hashing for anyone would be a cheap way to keep the server busy.
    if (nothing || changesPassword) await requireRight(store, call, 'editor');
    if (nothing) return unchanged(store, call, ignored);
    try {
      const wrong = old.size === 0 ? [] : await oldPasswordFailures(call, input, old, { store, verifyPassword });
      const all = { input, failures: [...failures, ...wrong] };
      const { text, version } = await store.update(id, await changeOf(call, schema, all, hashPassword));
      return { status: 200, body: text, version, ignored };
    } catch (error) {
      throw withIgnored(error, ignored);
    }
  };
}

/** A client may send back what it fetched: a removed value is valid here, and the write makes sure that it does not change. */
function keepRemoved(
  removed: Required<AnyDefinition>['removed'],
  { input, failures }: { readonly input: Input; readonly failures: readonly Failure[] },
  parameters: Parameters,
): readonly Failure[] {
  return failures.filter(({ field, code }) => {
    const value = parameters[field];
    const isKept = code === 'invalid' && typeof value === 'string' && removed[field]?.includes(value) === true;
    if (isKept) input[field] = value;
    return !isKept;
  });
}

function unchanged(store: Records, call: Call, ignored: readonly string[]): MaybePromise<Answer> {
  const { definition, id, caller, conditions } = call;
  return chain(store.get(definition.name, id, caller), (lookup) => {
    if (!lookup.found) throw refusal(definition, lookup.code);
    checkConditions(lookup.version, conditions, definition.match === 'required');
    return { status: 200, body: lookup.text, version: lookup.version, ignored };
  });
}

/** Whether the text is the password of a stored hash. */
export type VerifyPassword = (text: string, stored: string) => Promise<boolean>;

const NOT_NEEDED: ReadonlyMap<string, OldPassword> = new Map();

/** Takes the old passwords from the input, and returns them by the password they prove: no store ever sees their text. */
function takeOldPasswords({ oldPasswords }: InputSchema, input: Input): ReadonlyMap<string, OldPassword> {
  const taken = new Map<string, OldPassword>();
  for (const [parameter, proves] of oldPasswords) {
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

interface PasswordSource {
  readonly store: Pick<Records, 'secret'>;
  readonly verifyPassword: VerifyPassword;
}

/** The failures of the old passwords for the passwords that `input` changes. One that was never set needs no old one. */
async function oldPasswordFailures(
  { definition, id, caller }: Call,
  input: Input,
  old: ReadonlyMap<string, OldPassword>,
  { store, verifyPassword }: PasswordSource,
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
