// POST /api/<resource>: creates a record. The store checks references and uniqueness.
import type { AnyDefinition } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import type { Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Call, Run } from './call.js';
import { changeOf, type Secrets, withIgnored, withNewToken } from './change.js';
import { chosenId } from './chosen-id.js';
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
