// Turns an error into the one that a caller of a version gets (D68): with the parameters' earlier names, in their earlier order.

import { type Failure, ServiceError } from '../../contract/errors.js';
import type { Parameters } from '../../operations/call.js';
import type { Route } from '../routes.js';
import { earlierMember, fieldOf, type ResourceMapping, type VersionNames } from './names.js';
import { conflictAt, UNKNOWN } from './parameters.js';

/** @param parameters of the request, in today's names */
export function earlierError(
  names: VersionNames,
  route: Route,
  parameters: Parameters,
  error: ServiceError,
): ServiceError {
  const mapping = names.mapping(route.of?.name ?? route.resource);
  const today = route.verb === 'bulk' ? (route.name ?? '') : '';
  const list = { today, earlier: earlierMember(names.mapping(route.resource), today) ?? today };
  const failures = withoutAdditions(mapping, error.failures).map((one) => {
    const earlier = earlierFailure(one, { names, mapping, list });
    return { ...earlier, message: conflictAt(parameters, one.field) ?? earlier.message };
  });
  const sorted = mapping === undefined || today !== '' ? failures : inOrder(mapping, failures);
  const [first] = sorted;
  const isFirst = first !== undefined && error.message === error.failures[0]?.message;
  const message = isFirst ? first.message : earlierMessage(error.message, names, mapping);
  const earlier = new ServiceError(isFirst ? first.code : error.code, message, sorted, error.headers);
  earlier.ignored = error.ignored.map(withoutMark);
  return earlier;
}

/** A missing parameter that has been required since is left out if the failures name what it is made of. */
function withoutAdditions(mapping: ResourceMapping | undefined, failures: readonly Failure[]): readonly Failure[] {
  const adds = mapping?.earlier.adds ?? {};
  const known = failures.filter(({ field }) => !Object.hasOwn(adds, field));
  return known.length === 0 ? failures : known;
}

export function withoutMark(text: string): string {
  return text.replaceAll(UNKNOWN, '');
}

interface FailureContext {
  readonly names: VersionNames;
  readonly mapping: ResourceMapping | undefined;
  /** The names of the list that a bulk create fills; empty for other operations. */
  readonly list: { readonly today: string; readonly earlier: string };
}

/** The field is `name`, `name/inside/it` or `list[3].name`. */
function earlierFailure(one: Failure, { names, mapping, list }: FailureContext): Failure {
  const { today } = list;
  const [at = ''] = /\w+$/.exec(one.field) ?? [];
  const as = (one.code === 'not_unique' && mapping?.earlier.conflicts[at]) || at;
  const failure = { ...one, field: one.field.replace(/\w+$/, as), message: one.message.replace(at, as) };
  const field = failure.field.replace(/^(\w+?)(?=\[|$|\/)(\[\d+\]\.?)?(\w*)/, (whole, first, index = '', rest = '') => {
    if (today !== '' && first === today) return `${list.earlier}${index}${earlierName(mapping, rest)}`;
    return whole === first ? earlierName(mapping, whole) : whole;
  });
  const message =
    today !== '' && failure.message.startsWith(today)
      ? `${list.earlier}${failure.message.slice(today.length)}`
      : earlierMessage(failure.message, names, mapping);
  return { ...failure, field: withoutMark(field), message: withoutMark(message) };
}

function earlierName(mapping: ResourceMapping | undefined, today: string): string {
  return mapping?.parameters.get(today) ?? mapping?.columns.get(today) ?? today;
}

/** Where sentences have names: at the beginning, and after `and` and `set`; those of types come after an article. */
const NAMED = /^\w+|(?<=\b(?:and|set) )\w+|(?<=\b(?:a|this|the|each) )\w+/g;
const CHOICES = / must be one of: (.*?)(?=\.$|; )/;

function earlierMessage(message: string, names: VersionNames, mapping: ResourceMapping | undefined): string {
  const [subject = ''] = /^\w+/.exec(message) ?? [];
  const renamed = message.replace(NAMED, (word) => {
    const name = earlierName(mapping, word);
    return name === word ? names.name(word) : name;
  });
  const choices = earlierChoices(mapping, subject);
  if (choices === undefined) return renamed;
  return renamed.replace(CHOICES, (_, all: string) => ` must be one of: ${choices(all.split(', ')).join(', ')}`);
}

/** @returns a function that turns today's choices into the earlier ones; undefined if they are the same */
function earlierChoices(
  mapping: ResourceMapping | undefined,
  subject: string,
): ((today: readonly string[]) => readonly string[]) | undefined {
  if (mapping === undefined) return undefined;
  if (subject === '_order_by')
    return (today) => inFieldOrder(mapping, new Set(today.flatMap((one) => mapping.columns.get(one) ?? [])));
  const values = fieldOf(mapping, earlierName(mapping, subject))?.values;
  if (values === undefined) return undefined;
  return (today) => Object.keys(values).filter((name) => today.includes(values[name] ?? ''));
}

/** The fields that every record has come before the resource's own. */
function inFieldOrder({ earlier }: ResourceMapping, names: ReadonlySet<string>): readonly string[] {
  const all = new Set(['id', 'date_created', 'date_updated', ...Object.keys(earlier.fields)]);
  return [...all].filter((name) => names.has(name));
}

/** Failures of single parameters come first, in the order of the parameters; the store finds the others later. */
function inOrder({ earlier }: ResourceMapping, failures: readonly Failure[]): readonly Failure[] {
  const order = Object.keys(earlier.fields);
  const at = ({ field }: Failure) => order.indexOf(field.split('/', 1)[0] ?? '');
  const isOfForm = ({ code }: Failure) => code === 'required' || code === 'invalid';
  const ofForm = failures.filter((one) => isOfForm(one) && at(one) >= 0);
  return [...ofForm.sort((one, other) => at(one) - at(other)), ...failures.filter((one) => !ofForm.includes(one))];
}
