// The bag of a request becomes an operation's input: names sorted, values converted, limits checked, all failures said.
import type { Input, Parameter } from '../definition.js';
import { type Failure, failed } from '../errors.js';
import type { Caller } from '../store/store.js';
import type { Parameters } from './call.js';
import { coerce } from './coerce.js';
import { failureOf, parameterOf } from './failures.js';
import type { Intake } from './intake.js';
import { isService } from './service.js';

export interface Validated {
  /** Parameters that passed, by their own names; without prototype. */
  readonly input: Input;
  /** At most one per field, in the order of the definition's parameters. */
  readonly failures: readonly Failure[];
  /** Unknown names (D19). */
  readonly ignored: readonly string[];
}

/** Failures said about one json parameter, which may break its schema in as many places as it has bytes. */
const MAX_PER_PARAMETER = 20;

type Reports = Map<string, Failure[]>;

/**
 * Validates what came with a create, an update or an action. Does not throw: the store adds what only it can see.
 * Null: dropped where it counts as not given; on update it clears, or is `required` where the field cannot be empty (D18).
 */
export function validateInput(intake: Intake, parameters: Parameters, caller: Caller): Validated {
  const { given, ignored } = sortNames(intake, parameters);
  const reports: Reports = new Map();
  const values: Input = Object.create(null);
  const cleared = new Set<string>();
  for (const [name, value] of given) {
    const converted = convert(intake, { name, value, caller }, reports);
    if (converted === null) cleared.add(name);
    else if (converted !== undefined) values[name] = converted;
  }
  check(intake, { values, cleared }, reports);
  for (const name of reports.keys()) delete values[name];
  for (const name of cleared) if (!reports.has(name)) values[name] = null;
  return { input: values, failures: inOrder(intake, reports), ignored };
}

/** Throws every failure in one error; does nothing when there is none. */
export function throwAll(failures: readonly Failure[]): void {
  const [first, ...rest] = failures;
  if (first !== undefined) throw failed([first, ...rest]);
}

// A parameter's own name wins over a synonym (D30).
function sortNames(intake: Intake, parameters: Parameters): { given: Map<string, unknown>; ignored: string[] } {
  const given = new Map<string, unknown>();
  const ignored: string[] = [];
  for (const sent of Object.keys(parameters)) {
    const value = parameters[sent];
    const synonymOf = intake.synonyms.get(sent);
    if (value === undefined) continue;
    if (intake.parameters.has(sent)) given.set(sent, value);
    else if (synonymOf === undefined) {
      if (!intake.silent.has(sent) && !isService(sent)) ignored.push(sent);
    } else if (parameters[synonymOf] === undefined) given.set(synonymOf, value);
  }
  return { given, ignored };
}

interface Sent {
  readonly name: string;
  readonly value: unknown;
  readonly caller: Caller;
}

/** The value; null: cleared; undefined: not given, or reported. */
function convert(intake: Intake, { name, value, caller }: Sent, reports: Reports): unknown {
  const parameter = intake.parameters.get(name) as Parameter;
  const coerced = coerce(parameter.kind, value);
  if (coerced.ok && coerced.value === null && !intake.clears) return undefined;
  if (parameter.set === 'admin' && !caller.admin) {
    report(reports, { field: name, code: 'forbidden', message: `${name} can be set by administrators only.` });
    return undefined;
  }
  if (!coerced.ok) {
    report(reports, { field: name, code: 'invalid', message: `${name} ${coerced.problem}` });
    return undefined;
  }
  if (coerced.value === null && !parameter.nullable && intake.required.has(name)) {
    report(reports, { field: name, code: 'required', message: `${name} is required.` });
    return undefined;
  }
  return coerced.value;
}

// Cleared parameters are kept from the validator: its schema describes values, and null is not one of them.
function check(intake: Intake, sent: { values: Input; cleared: ReadonlySet<string> }, reports: Reports): void {
  if (intake.validator(sent.values)) return;
  for (const error of intake.validator.errors ?? []) {
    const failure = failureOf(error, intake, sent.values);
    if (!sent.cleared.has(parameterOf(failure))) report(reports, failure);
  }
}

function report(reports: Reports, failure: Failure): void {
  const parameter = parameterOf(failure);
  const others = reports.get(parameter);
  if (others === undefined) reports.set(parameter, [failure]);
  else if (others.length < MAX_PER_PARAMETER && !others.some(({ field }) => field === failure.field)) {
    others.push(failure);
  }
}

function inOrder({ parameters }: Intake, reports: Reports): readonly Failure[] {
  if (reports.size === 0) return [];
  const named = [...parameters.keys()].flatMap((name) => reports.get(name) ?? []);
  const unnamed = [...reports].flatMap(([name, failures]) => (parameters.has(name) ? [] : failures));
  return [...named, ...unnamed];
}
