// The input schema of one operation, computed from a definition once at start.
import type { ActionDefinition, AnyDefinition, Parameter, Validator } from '../contract/definition.js';

export interface Limits {
  readonly min: number | null;
  readonly max: number | null;
}

export interface InputSchema {
  /** In the order of the descriptor. */
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Synonyms, each with its parameter (D30). */
  readonly synonyms: ReadonlyMap<string, string>;
  /** Names that are accepted without effect and not reported as ignored (D19). */
  readonly silent: ReadonlySet<string>;
  readonly validator: Validator;
  /** Names of the passwords that it sets. */
  readonly passwords: readonly string[];
  /** For each old password that a change requires, the name of the password that it proves (D47). */
  readonly oldPasswords: ReadonlyMap<string, string>;
  /** Parameters that a record cannot be without. */
  readonly required: ReadonlySet<string>;
  /** The range of each integer. */
  readonly limits: ReadonlyMap<string, Limits>;
  /** True: null clears a field (update); false: null counts as not sent. */
  readonly clears: boolean;
}

/** The input schema of `operation`; what a create requires, an update cannot clear (D18). */
export function inputSchemaOf(definition: AnyDefinition, operation: 'create' | 'update'): InputSchema {
  const validator = definition.validate[operation];
  const parameters = Object.entries(definition.parameters).filter(
    ([, { proves }]) => operation === 'update' || proves === undefined,
  );
  return {
    parameters: new Map(parameters),
    passwords: parameters.flatMap(([name, { kind, proves }]) =>
      kind === 'password' && proves === undefined ? [name] : [],
    ),
    oldPasswords: new Map(parameters.flatMap(([name, { proves }]) => (proves === undefined ? [] : [[name, proves]]))),
    synonyms: new Map(Object.entries(definition.synonyms)),
    silent: new Set(definition.ignored),
    validator,
    required: new Set([...requiredBy(definition.validate.create), ...requiredBy(validator)]),
    limits: limitsIn(validator, definition.parameters),
    clears: operation === 'update',
  };
}

/** The input schema of an action's own parameters. */
export function inputSchemaOfAction(action: ActionDefinition): InputSchema {
  return {
    parameters: new Map(Object.entries(action.parameters)),
    synonyms: new Map(),
    silent: new Set(),
    passwords: [],
    oldPasswords: new Map(),
    validator: action.validate,
    required: requiredBy(action.validate),
    limits: limitsIn(action.validate, action.parameters),
    clears: false,
  };
}

// Derived from the validator, so that the definition does not repeat it: what is missing from an empty input?
function requiredBy(validator: Validator): ReadonlySet<string> {
  const missing = new Set<string>();
  if (validator({})) return missing;
  for (const { keyword, instancePath, params } of validator.errors ?? []) {
    if (keyword === 'required' && instancePath === '') missing.add(String(params.missingProperty));
  }
  return missing;
}

function limitsIn(validator: Validator, parameters: Readonly<Record<string, Parameter>>): ReadonlyMap<string, Limits> {
  const limits = new Map<string, Limits>();
  for (const [name, { kind }] of Object.entries(parameters)) {
    if (kind !== 'integer') continue;
    const min = limitBroken(validator, name, Number.MIN_SAFE_INTEGER);
    const max = limitBroken(validator, name, Number.MAX_SAFE_INTEGER);
    limits.set(name, { min, max });
  }
  return limits;
}

function limitBroken(validator: Validator, name: string, value: number): number | null {
  if (validator({ [name]: value })) return null;
  const keyword = value < 0 ? 'minimum' : 'maximum';
  const error = validator.errors?.find((one) => one.keyword === keyword && one.instancePath === `/${name}`);
  return typeof error?.params.limit === 'number' ? error.params.limit : null;
}
