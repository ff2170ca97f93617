// Loaded into a server in front of everything else: makes one kind of value a bug, so that the fuzz has something to find.

const coerce = require('../../runtime/operations/validate.js') as { coerce: (kind: string, value: unknown) => unknown };
const { coerce: real } = coerce;

coerce.coerce = (kind, value) => {
  if (kind === 'boolean' && typeof value === 'string') throw new TypeError('planted');
  return real(kind, value);
};
