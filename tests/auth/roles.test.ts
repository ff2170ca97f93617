// The role of a user on the operators' pages, and the parameters that set it (D65).

import { ROLES, roleOf, roleParameters } from '../../runtime/auth/roles.js';
import type { AnyDefinition } from '../../runtime/contract/definition.js';

const principal = (...names: readonly string[]): AnyDefinition =>
  ({ parameters: Object.fromEntries(names.map((name) => [name, {}])) }) as unknown as AnyDefinition;

test.each([
  [{}, 'none'],
  [{ admin: 0, operator_role: null }, 'none'],
  [{ admin: 1, operator_role: 'readonly' }, 'admin'],
  [{ admin: true }, 'admin'],
  [{ admin: false, operator_role: 'support' }, 'support'],
  [{ admin: 0, operator_role: 'readonly' }, 'readonly'],
  // Other values, such as those that another project allows, give no role.
  [{ admin: 0, operator_role: 'admin' }, 'none'],
  [{ admin: 'yes', operator_role: 'chief' }, 'none'],
])('%j is %s', (user, role) => {
  expect(roleOf(user)).toBe(role);
});

test('a role replaces every other, and sets no field that the project lacks', () => {
  const both = principal('admin', 'operator_role');
  for (const role of ROLES) expect(roleOf(roleParameters(both, role))).toBe(role);
  expect(roleParameters(both, 'admin')).toEqual({ admin: true, operator_role: null });
  expect(roleParameters(principal('admin'), 'none')).toEqual({ admin: false });
  expect(roleParameters(principal('admin'), 'support')).toEqual({ admin: false, operator_role: 'support' });
});
