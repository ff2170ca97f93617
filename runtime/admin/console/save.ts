// Saves the form of a record only if nobody has changed the record since the form was opened (D57): the tag that the form sends, and
// the update.

import type { Conditions } from '../../contract/conditions.js';
import { ServiceError } from '../../contract/errors.js';
import type { Call, Parameters } from '../../operations/call.js';
import type { Resources, ShownRecord } from './resource.js';
import { concurrentChanges, type FormProblems } from './sent-form.js';
import type { Form } from './view.js';

const TAG = '_tag';

/** The condition that the record is as it was when the form was opened. */
export function tagged({ [TAG]: version }: Parameters): { readonly conditions?: Conditions } {
  return typeof version === 'string' && version !== '' ? { conditions: { match: [Number(version)] } } : {};
}

/**
 * The hidden field of a form. A form that was not saved keeps the version with which it was opened, unless it shows what has changed.
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
 * Updates a record. Throws precondition_failed if somebody has changed a field of the form since it was opened; other changes, such
 * as when a token was last used or how many callbacks have failed, do not matter.
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
