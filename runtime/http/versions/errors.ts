// Turns an error into the one that a caller of a version gets (D68): with the parameters' earlier names, in their earlier order.

import { type Failure, ServiceError } from '../../contract/errors.js';
import type { Route } from '../routes.js';
import { choicesIn, own, type ResourceMapping, type VersionNames } from './names.js';
import { UNKNOWN } from './parameters.js';

export function earlierError(names: VersionNames, route: Route, error: ServiceError): ServiceError {
  const { resource, of, verb, name: list = '' } = route;
  const mapping = names.mapping(of?.name ?? resource);
  const nameOf = (word: string) =>
    (verb === 'bulk' && word === list ? names.member(resource, list) : mapping?.names.get(word)) ?? word;
  const context = { names, mapping, nameOf };
  const failures = withoutAdditions(mapping, error.failures).map((one) => earlierFailure(one, context));
  const sorted = mapping === undefined ? failures : inOrder(mapping, failures);
  const first = error.message === error.failures[0]?.message ? sorted[0] : undefined;
  const { code, message } = first ?? { code: error.code, message: earlierMessage(error.message, context) };
  const earlier = new ServiceError(code, message, sorted, error.headers);
  earlier.ignored = error.ignored.map(withoutMark);
  return earlier;
}

/** A missing parameter that has been required since is left out if the failures name what it is made of. */
function withoutAdditions(mapping: ResourceMapping | undefined, failures: readonly Failure[]): readonly Failure[] {
  const known = failures.filter(({ field }) => !Object.hasOwn(mapping?.earlier.adds ?? {}, field));
  return known.length === 0 ? failures : known;
}

export function withoutMark(text: string): string {
  return text.replaceAll(UNKNOWN, '');
}

interface ErrorContext {
  readonly names: VersionNames;
  readonly mapping: ResourceMapping | undefined;
  /** The earlier name of a parameter or column, or of the list that a bulk create fills; any other word stays. */
  readonly nameOf: (word: string) => string;
}

/** Where fields have names: `name`, `name/inside/it` or `list[3].name`. */
const FIELD = /^\w+|(?<=^\w+\[\d+\]\.)\w+/g;

function earlierFailure({ code, field, message }: Failure, context: ErrorContext): Failure {
  const conflicts = (code === 'not_unique' && context.mapping?.earlier.conflicts) || {};
  const nameOf = (word: string) => context.nameOf(own(conflicts, word) ?? word);
  return { field: field.replace(FIELD, nameOf), code, message: earlierMessage(message, { ...context, nameOf }) };
}

/** Where sentences have names: at the beginning, and after `and` and `set`; those of types come after an article. */
const NAMED = /^\w+|(?<=\b(?:and|set) )\w+|(?<=\b(?:a|this|the|each) )\w+/g;
const CHOICES = /(?<=^(\w+) must be one of: ).*?(?=\.$|; )/;

function earlierMessage(message: string, { names, mapping, nameOf }: ErrorContext): string {
  const named = message.replace(NAMED, (word) => (nameOf(word) === word ? names.type(word) : nameOf(word)));
  return withoutMark(named).replace(CHOICES, (choices, subject: string) =>
    mapping === undefined ? choices : earlierChoices(mapping, subject, choices.split(', ')).join(', '),
  );
}

/** @param subject the parameter that has the choices, by its earlier name */
function earlierChoices(mapping: ResourceMapping, subject: string, today: readonly string[]): readonly string[] {
  if (subject !== '_order_by') return choicesIn(own(mapping.earlier.fields, subject)?.values, today);
  const names = today.map((one) => mapping.names.get(one));
  // The fields that every record has come before the resource's own.
  const all = new Set(['id', 'date_created', 'date_updated', ...Object.keys(mapping.earlier.fields)]);
  return [...all].filter((name) => names.includes(name));
}

/** Failures of single parameters come first, in the order of the parameters; the store finds the others later. */
function inOrder({ earlier }: ResourceMapping, failures: readonly Failure[]): readonly Failure[] {
  const order = Object.keys(earlier.fields);
  const rank = ({ code, field }: Failure) => {
    const at = code === 'required' || code === 'invalid' ? order.indexOf(field.split('/', 1)[0] ?? '') : -1;
    return at < 0 ? order.length : at;
  };
  return failures.toSorted((one, other) => rank(one) - rank(other));
}
