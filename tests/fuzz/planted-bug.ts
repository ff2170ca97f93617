// Preloaded into a server: makes one kind of value a bug, so that the fuzz has something to find.

import type { validateInput } from '../../runtime/operations/validate.js';

const validation = require('../../runtime/operations/validate.js') as { validateInput: typeof validateInput };
const { validateInput: real } = validation;

validation.validateInput = (schema, parameters, caller) => {
  if (Object.values(parameters).some((value) => value === 'true' || value === '1')) throw new TypeError('planted');
  return real(schema, parameters, caller);
};
