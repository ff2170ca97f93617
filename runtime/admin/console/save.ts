// Saves the form of a record only if nobody has changed the record since the form was opened (D57): the tag that the form
// sends, and the update; and the same for a button.

import type { Conditions } from '../../contract/conditions.js';
import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { Call, Parameters } from '../../operations/call.js';
import { sha256 } from '../../schema/hash.js';
import type { Resources, ShownRecord } from './resource.js';
import { concurrentChanges, type FormProblems } from './sent-form.js';
import type { Form } from './view.js';

const TAG = '_tag';

/** The condition that the record is as it was when the form was opened. */
export function tagged({ [TAG]: version }: Parameters): { readonly conditions?: Conditions } {
  return typeof version === 'string' && version !== '' ? { conditions: { match: [Number(version)] } } : {};
}

/**
 * The hidden field of a form. A form that was not saved keeps the version that it was opened with, unless it shows changes.
 * @param version the record's @param sent null: the form is new
 */
export function tagField(
  version: number | undefined,
  sent: (FormProblems & { form: Parameters }) | null,
): Form['hidden'] {
  const tag = sent === null || sent.isStale === true ? version : (sent.form[TAG] ?? version);
  return tag === undefined ? [] : [{ name: TAG, value: String(tag) }];
}

/**
 * Updates a record. Throws precondition_failed if somebody has changed a field of the form since it was opened; other changes,
 * such as when a token was last used or how many callbacks have failed, do not matter.
 */
export async function saveForm(
  { operationsOf }: Pick<Resources, 'operationsOf'>,
  call: Call,
  form: Parameters,
): Promise<void> {
  const { update, fetch } = operationsOf(call.definition);
  try {
    await update({ ...call, ...tagged(form) });
  } catch (thrown) {
    if (!(thrown instanceof ServiceError) || thrown.code !== 'precondition_failed') throw thrown;
    const { body, version } = await fetch({ ...call, parameters: {} });
    const changes = concurrentChanges(call.definition, JSON.parse(body) as ShownRecord, form);
    if (version === undefined || changes.length > 0) throw thrown;
    await update({ ...call, conditions: { match: [version] } });
  }
}

const SEEN = '_seen';

/**
 * The hidden value of a button: a hash of what its user can change in the record, and of its token. Other changes do not
 * matter, such as when a token was last used.
 */
export function seenValue({ parameters, token }: AnyDefinition, record: ShownRecord): Readonly<Record<string, string>> {
  const names = [...Object.keys(parameters), ...(token === undefined ? [] : ['date_updated'])];
  const seen = JSON.stringify(names.map((name) => record[name]));
  return { [SEEN]: sha256(seen) };
}

/** The call with the condition that the record is as the user of a button saw it. Throws precondition_failed if it is not. */
export async function callAsSeen(
  { operationsOf }: Pick<Resources, 'operationsOf'>,
  call: Call,
  { [SEEN]: seen }: Parameters,
): Promise<Call> {
  const { body, version } = await operationsOf(call.definition).fetch({ ...call, parameters: {} });
  if (seen === undefined || version === undefined) return call;
  if (seen === seenValue(call.definition, JSON.parse(body))[SEEN]) return { ...call, conditions: { match: [version] } };
  throw new ServiceError(
    'precondition_failed',
    'Somebody has changed it since you opened its page: open the page again.',
  );
}
