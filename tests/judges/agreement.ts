// Looks for a value on which the judges of one parameter do not agree, and counts what it saw on the way.
import fc from 'fast-check';
import { coerce } from '../../runtime/operations/validate.js';
import { type Judges, reach, type Verdict } from './judge.js';
import { valuesOf } from './values.js';

export interface SeenVerdicts {
  accepted: number;
  refused: number;
  /** By the conversion, before any judge. */
  unconverted: number;
  /** Null and empty: not a value. */
  empty: number;
}

export interface Disagreement {
  readonly parameter: string;
  readonly value: unknown;
  readonly verdicts: Readonly<Record<string, boolean>>;
  /** Give it to fast-check to see it again. */
  readonly seed: number;
}

/** Refused wherever there is a limit, so that every search sees a refusal. */
const FAR_BEYOND: [unknown][] = [['x'.repeat(100_000)], ['9'.repeat(15)]];

/** @returns the smallest value found that they judge differently; null: none in so many runs */
export function disagreement(judged: Verdict, judges: Judges, runs: number, seen: SeenVerdicts): Disagreement | null {
  const verdictsOn = (raw: unknown): Readonly<Record<string, boolean>> => {
    const converted = coerce(judged.parameter.kind, raw);
    if (!converted.ok) seen.unconverted++;
    else if (converted.value === null) seen.empty++;
    if (!converted.ok || converted.value === null) return {};
    const { value } = converted;
    const verdicts = {
      document: judges.document(value),
      validator: judges.validator(value),
      update: judges.update(value),
    };
    seen[verdicts.validator ? 'accepted' : 'refused']++;
    const table = reach(judged) === 'not' || (reach(judged) === 'no less' && !verdicts.validator);
    return table ? verdicts : { ...verdicts, table: judges.table(value) };
  };
  // A judge that throws is no verdict: fast-check would take it for one.
  const thrown: unknown[] = [];
  const agree = (value: unknown) => {
    try {
      return new Set(Object.values(verdictsOn(value))).size <= 1;
    } catch (error) {
      thrown.push(error);
      return false;
    }
  };
  const details = fc.check(fc.property(valuesOf(judged), agree), { numRuns: runs, examples: FAR_BEYOND });
  if (thrown.length > 0) throw thrown[0];
  if (!details.failed) return null;
  const [value] = details.counterexample ?? [];
  const parameter = `${judged.resource.name}.${judged.parameter.name}`;
  return { parameter, value, verdicts: verdictsOn(value), seed: details.seed };
}
