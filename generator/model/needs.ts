// What descriptors can say about hand-written code: which code there is, and which needs a renamed field goes on fulfilling.

import { API_KEYS, MODULES } from '../../runtime/contract/needs.js';

/** A field or column, and every name that it had before. */
export interface RenamedField {
  readonly name: string;
  readonly formerly: readonly string[];
}

/**
 * @param roles the resource as the table calls it: its name, `@principal`, `@upload`
 * @returns present names of renamed fields that go on fulfilling a need, by the name that the need has in the table. A field
 * that has that name now fulfils the need itself; if several fields had it before, none of them does
 */
export function carriedNeeds(
  roles: readonly string[],
  fields: readonly RenamedField[],
): Readonly<Record<string, string>> {
  const needs = MODULES.flatMap(({ resources }) =>
    roles.flatMap((role) => Object.entries(resources[role]?.fields ?? {})),
  );
  const carried = needs.flatMap(([need, { carried = false }]) => {
    if (!carried || fields.some(({ name }) => name === need)) return [];
    const [field, ...others] = fields.filter(({ formerly }) => formerly.includes(need));
    return field === undefined || others.length > 0 ? [] : [[need, field.name] as const];
  });
  return Object.fromEntries(carried);
}

/** What the table calls a resource. */
export function rolesOf(resource: {
  readonly name: string;
  readonly principal: boolean;
  readonly upload: unknown;
}): readonly string[] {
  const { name, principal, upload } = resource;
  const roles = [principal && '@principal', upload && '@upload', name === API_KEYS && '@keys'];
  return [name, ...roles.filter((role) => typeof role === 'string')];
}

/** Whether there is code for a `served_by`, a lifecycle function or an action of a resource. */
export function hasCode(resource: string, key: 'served_by' | 'lifecycle' | 'actions', name: string): boolean {
  return MODULES.some(({ runs, resources }) => {
    if (key === 'served_by') return typeof runs === 'object' && 'servedBy' in runs && runs.servedBy === name;
    const need = resources[resource];
    const offered = key === 'actions' ? (need?.offers ?? []) : [];
    return [...(need?.[key] ?? []), ...offered].includes(name);
  });
}

/** The modules that `served_by` can name. */
export function servedBy(): readonly string[] {
  return MODULES.flatMap(({ runs }) => (typeof runs === 'object' && 'servedBy' in runs ? [runs.servedBy] : []));
}
