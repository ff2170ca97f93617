// The wording for a record that is missing or that the caller may not access.
import type { AnyDefinition } from '../../definition.js';
import { ServiceError } from '../../errors.js';
import type { Permission } from '../records.js';

type Refused = Extract<Permission, { allowed: false }>['code'];

/** The error for a record that the caller may not access. */
export function refusal({ title }: Pick<AnyDefinition, 'title'>, code: Refused): ServiceError {
  return new ServiceError(code, REFUSALS[code](title));
}

const REFUSALS: Readonly<Record<Refused, (title: string) => string>> = {
  not_found: (title) => `${title} not found.`,
  login_required: (title) => `${title}: a session is required.`,
  forbidden: (title) => `${title}: this session does not have permission.`,
};
