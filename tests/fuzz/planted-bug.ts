// Preloaded into a server: makes it fail on one kind of value, so that the fuzz has something to detect.

import type { validateInput } from '../../runtime/operations/validate.js';

const validation = require('../../runtime/operations/validate.js') as { validateInput: typeof validateInput };
const { validateInput: real } = validation;

validation.validateInput = (schema, parameters, caller) => {
  if (Object.values(parameters).some((value) => value === 'true' || value === '1')) throw new TypeError('planted');
  return real(schema, parameters, caller);
};
