// The version of a record's row (D57) before and after a write.
import type { Row } from '../../contract/definition.js';
import { FIRST_VERSION, VERSION } from '../../schema/version.js';
import type { WritePlan } from '../sql/write-plan.js';

export function versionOf(row: Row): number {
  return Number(row[VERSION]);
}

/** The version once the plan is carried out. */
export function versionAfter({ guard: old, changed }: WritePlan): number {
  if (old === null) return FIRST_VERSION;
  return versionOf(old) + (changed.length > 0 ? 1 : 0);
}
