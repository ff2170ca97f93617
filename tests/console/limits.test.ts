// The hint of a form about the allowed values of a field, from the schema of the API document.
import { limitsOf } from '../../runtime/admin/console/limits.js';

test.each([
  [{ minimum: 1, maximum: 99 }, '1 to 99.'],
  [{ minimum: 1 }, 'At least 1.'],
  [{ maximum: 99 }, 'At most 99.'],
  [{ multipleOf: 5 }, 'A multiple of 5.'],
  [{ minimum: 0, maximum: 100, multipleOf: 5 }, '0 to 100. A multiple of 5.'],
  [{ maximum: 100, multipleOf: 5 }, 'At most 100. A multiple of 5.'],
  [{}, ''],
])('%j', (described, hint) => expect(limitsOf('integer', described)).toBe(hint));
