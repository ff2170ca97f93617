// Searches for a value that the three validations of a parameter treat differently, and counts the values seen.
import fc from 'fast-check';
import { coerce } from '../../runtime/operations/validate.js';
import { reach, type StoredParameter, type Validations } from './validations.js';
import { valuesOf } from './values.js';

export interface VerdictCounts {
  accepted: number;
  refused: number;
  /** Refused by the conversion, before any validation. */
  unconverted: number;
  /** Null and empty, which are not values. */
  empty: number;
}

export interface Disagreement {
  readonly parameter: string;
  readonly value: unknown;
  readonly verdicts: Readonly<Record<string, boolean>>;
  /** The seed for fast-check to reproduce it. */
  readonly seed: number;
}

/** Refused wherever there is a limit, so that every search includes a refusal. */
const FAR_BEYOND: [unknown][] = [['x'.repeat(100_000)], ['9'.repeat(15)]];

/** @returns the smallest value with different verdicts, or null if there was none in that many runs */
export function disagreement(
  stored: StoredParameter,
  validations: Validations,
  runs: number,
  seen: VerdictCounts,
): Disagreement | null {
  const verdictsOn = (raw: unknown): Readonly<Record<string, boolean>> => {
    const converted = coerce(stored.parameter.kind, raw);
    if (!converted.ok) seen.unconverted++;
    else if (converted.value === null) seen.empty++;
    if (!converted.ok || converted.value === null) return {};
    const { value } = converted;
    const verdicts = {
      document: validations.document(value),
      validator: validations.validator(value),
      update: validations.update(value),
    };
    seen[verdicts.validator ? 'accepted' : 'refused']++;
    const table = reach(stored) === 'not' || (reach(stored) === 'no less' && !verdicts.validator);
    return table ? verdicts : { ...verdicts, table: validations.table(value) };
  };
  // An exception is not a verdict, but fast-check would treat it as one.
  const thrown: unknown[] = [];
  const agree = (value: unknown) => {
    try {
      return new Set(Object.values(verdictsOn(value))).size <= 1;
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  const details = fc.check(fc.property(valuesOf(stored), agree), { numRuns: runs, examples: FAR_BEYOND });
  if (thrown.length > 0) throw thrown[0];
  if (!details.failed) return null;
  const [value] = details.counterexample ?? [];
  const parameter = `${stored.resource.name}.${stored.parameter.name}`;
  return { parameter, value, verdicts: verdictsOn(value), seed: details.seed };
}
