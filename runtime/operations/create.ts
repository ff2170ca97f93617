// POST /api/<resource>: creates a record. The store checks references and uniqueness.
import type { AnyDefinition } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import { CHOSEN_ID } from '../contract/ids.js';
import type { Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Call, Run } from './call.js';
import { changeOf, type Secrets, withIgnored, withNewToken } from './change.js';
import type { PlanOf } from './plan.js';
import { validateInput } from './validate.js';

/** Responds 201 with the record as its creator sees it. Validation and reference failures are thrown together. */
export function createOperation(store: Records, planOf: PlanOf, { hashPassword, newSecret }: Secrets): Run {
  return async (call) => {
    const { definition, caller, parameters } = call;
    authorize(definition, 'create', caller);
    const schema = planOf(definition).create;
    const { input, failures, ignored } = validateInput(schema, parameters, caller);
    const chosen = chosenId(call, ignored);
    const all = [...failures, ...chosen.failures, ...missingUpload(definition, call)];
    try {
      const written = await changeOf(call, schema, { input, failures: all }, hashPassword);
      const { change, shown } = withNewToken(written, definition, newSecret);
      const created = await store.create(chosen.id === undefined ? change : { ...change, id: chosen.id });
      const result = { body: shown(created), version: created.version, ignored: chosen.ignored };
      if (created.existed) return { status: 200, ...result };
      return { status: 201, ...result, location: `/api/${definition.name}/${created.id}` };
    } catch (error) {
      throw withIgnored(error, chosen.ignored);
    }
  };
}

function missingUpload(definition: AnyDefinition, { upload }: Call): readonly Failure[] {
  if (definition.upload === null || upload !== null) return [];
  const { part } = definition.upload;
  return [{ field: part, code: 'required', message: `${part} is required, as part of a multipart body.` }];
}

/**
 * An id that an administrator chooses (`_use_this_id`), as clients know some records by fixed ids. Only resources whose ids say
 * nothing about an owner take it.
 */
interface ChosenId {
  /** Undefined: the service draws one. */
  readonly id?: string;
  readonly failures: readonly Failure[];
  /** Names without effect; this parameter is not among them where it has an effect. */
  readonly ignored: readonly string[];
}

/** Excludes the characters with a meaning in a path. */
const FORM = /^[A-Za-z0-9][A-Za-z0-9_-]{1,63}$/;

/** @param ignored names that are not parameters of the resource */
function chosenId({ definition, caller, parameters }: Call, ignored: readonly string[]): ChosenId {
  const id = parameters[CHOSEN_ID];
  if (id === undefined || id === null || id === '' || !takesIds(definition)) return { failures: [], ignored };
  const others = ignored.filter((name) => name !== CHOSEN_ID);
  const fail = (code: Failure['code'], problem: string): ChosenId => ({
    failures: [{ field: CHOSEN_ID, code, message: `${CHOSEN_ID} ${problem}` }],
    ignored: others,
  });
  if (!caller.admin) return fail('forbidden', 'is for administrators only');
  if (typeof id !== 'string' || !FORM.test(id)) {
    return fail('invalid', 'must be 2 to 64 letters, digits, "-" or "_", and start with a letter or digit');
  }
  if (isWordOfPath(definition, id)) return fail('invalid', `must not be "${id}", which paths have in place of an id`);
  return { id, failures: [], ignored: others };
}

/** Whether a new record can have the id. */
export function canHaveId(definition: AnyDefinition, { admin }: Call['caller'], id: string): boolean {
  return admin && takesIds(definition) && FORM.test(id) && !isWordOfPath(definition, id);
}

/** Whether the lists and actions of a record with the id would have the path of a unique value. */
function isWordOfPath({ lookups = {} }: AnyDefinition, id: string): boolean {
  return Object.hasOwn(lookups, id);
}

function takesIds({ principal, references }: AnyDefinition): boolean {
  return !principal && !references.some(({ place }) => place);
}
