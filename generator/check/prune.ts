// Leaves out malformed parts, so that the rules can check the rest.
import type { ErrorObject } from 'ajv';
import type { Plain } from '../language/normalize.js';
import type { Pointer } from '../load/load.js';
import type { FileKind } from './structure.js';

/** Maps whose entries are independent: one malformed field does not remove the others. */
const ENTRIES: ReadonlySet<unknown> = new Set(['fields', 'access', 'actions', 'operations', 'paths', 'events']);

/** The value without the malformed parts, and their pointers joined by `/`. */
export function prune(
  value: Plain,
  kind: FileKind,
  culprits: readonly Pointer[],
): { value: Plain; pruned: Set<string> } {
  const pruned = new Set<string>();
  let rest = value;
  for (const culprit of culprits) {
    const unit = kind === 'conventions' ? conventionUnit(culprit) : resourceUnit(culprit);
    if (unit.length === 0) continue;
    pruned.add(unit.join('/'));
    rest = without(rest, unit);
  }
  return { value: rest, pruned };
}

export function pointerOf(error: ErrorObject): (string | number)[] {
  const steps = error.instancePath.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function resourceUnit(pointer: Pointer): Pointer {
  return pointer.slice(0, ENTRIES.has(pointer[0]) ? 2 : 1);
}

function conventionUnit(pointer: Pointer): Pointer {
  if (pointer[0] !== 'conventions') return pointer.slice(0, 1);
  return [...pointer.slice(0, 2), ...resourceUnit(pointer.slice(2))];
}

function without(value: Plain, [key, ...deeper]: Pointer): Plain {
  const entries = Object.entries(value);
  if (deeper.length === 0) return Object.fromEntries(entries.filter(([name]) => name !== String(key)));
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      name === String(key) && typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? without(inner as Plain, deeper)
        : inner,
    ]),
  );
}
