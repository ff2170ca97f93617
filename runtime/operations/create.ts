// POST /api/<resource>: creates a record. The store checks references and uniqueness.
import type { AnyDefinition } from '../contract/definition.js';
import type { Failure } from '../contract/errors.js';
import { chain } from '../contract/maybe-promise.js';
import type { Records } from '../store/records.js';
import { authorize } from './authorize.js';
import type { Call, Run } from './call.js';
import { changeOf, reportIgnored, type Secrets, withNewToken } from './change.js';
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
    const { id, text, version, existed } = await reportIgnored(chosen.ignored, () =>
      chain(changeOf(call, schema, { input, failures: all }, hashPassword), (written) => {
        const { change, shown } = withNewToken(written, definition, newSecret);
        const created = store.create(chosen.id === undefined ? change : { ...change, id: chosen.id });
        return chain(created, (one) => ({ ...one, text: shown(one) }));
      }),
    );
    if (existed) return { status: 200, body: text, version, ignored: chosen.ignored };
    return { status: 201, body: text, version, location: `/api/${definition.name}/${id}`, ignored: chosen.ignored };
  };
}

function missingUpload(definition: AnyDefinition, { upload }: Call): readonly Failure[] {
  if (definition.upload === null || upload !== null) return [];
  const { part } = definition.upload;
  return [{ field: part, code: 'required', message: `${part} is required, as part of a multipart body.` }];
}
