// What a caller of a version is told that was refused (D68): the parameters as the caller knows them, in the order of then.

import { type Failure, ServiceError } from '../../contract/errors.js';
import type { Route } from '../routes.js';
import { memberThen, type Names, type Told } from './names.js';
import { UNKNOWN } from './sent.js';

export function refusedThen(names: Names, route: Route, error: ServiceError): ServiceError {
  const told = names.told(route.of?.name ?? route.resource);
  const list = route.verb === 'bulk' ? (route.name ?? '') : '';
  const listed = memberThen(names.told(route.resource), list) ?? list;
  const failures = ofThen(told, error.failures).map((failure) => failureThen(names, told, { failure, list, listed }));
  const sorted = told === undefined || list !== '' ? failures : inOrder(told, failures);
  const [first] = sorted;
  const isFirst = first !== undefined && error.message === error.failures[0]?.message;
  const message = isFirst ? first.message : messageThen(names, told, error.message);
  const then = new ServiceError(isFirst ? first.code : error.code, message, sorted, error.headers);
  then.ignored = ignoredThen(error.ignored);
  return then;
}

/** Without what is required since, and is made of what is missing. */
function ofThen(told: Told | undefined, failures: readonly Failure[]): readonly Failure[] {
  const known = failures.filter(({ field }) => told?.then.adds?.[field] === undefined);
  return known.length === 0 ? failures : known;
}

export function ignoredThen(names: readonly string[]): readonly string[] {
  return names.map(known);
}

function known(text: string): string {
  return text.replaceAll(UNKNOWN, '');
}

interface Placed {
  readonly failure: Failure;
  /** Of a bulk create, as today and as then; empty otherwise. */
  readonly list: string;
  readonly listed: string;
}

/** `name`, `name/inside/it`, `list[3].name`. */
function failureThen(names: Names, told: Told | undefined, { failure, list, listed }: Placed): Failure {
  const field = failure.field.replace(/^(\w+?)(?=\[|$|\/)(\[\d+\]\.?)?(\w*)/, (whole, first, index = '', rest = '') => {
    if (list !== '' && first === list) return `${listed}${index}${nameThen(told, rest)}`;
    return whole === first ? nameThen(told, whole) : whole;
  });
  const message =
    list !== '' && failure.message.startsWith(list)
      ? `${listed}${failure.message.slice(list.length)}`
      : messageThen(names, told, failure.message);
  return { ...failure, field: known(field), message: known(message) };
}

function nameThen(told: Told | undefined, today: string): string {
  return told?.sent.get(today) ?? told?.columns.get(today) ?? today;
}

/** Names stand where sentences have them: at the beginning, behind `and`, and those of types behind an article. */
const NAMED = /^\w+|(?<=\b(?:and|set) )\w+|(?<=\b(?:a|this|the|each) )\w+/g;
const CHOICES = / must be one of: (.*?)(?=\.$|; )/;

function messageThen(names: Names, told: Told | undefined, message: string): string {
  const [subject = ''] = /^\w+/.exec(message) ?? [];
  const renamed = message.replace(NAMED, (word) =>
    told !== undefined && nameThen(told, word) !== word ? nameThen(told, word) : names.name(word),
  );
  const values = choicesThen(told, subject);
  if (values === undefined) return renamed;
  return renamed.replace(CHOICES, (_, all: string) => ` must be one of: ${values(all.split(', ')).join(', ')}`);
}

/** Turns what could be chosen today into what could be chosen then; undefined: it is the same. */
function choicesThen(
  told: Told | undefined,
  subject: string,
): ((today: readonly string[]) => readonly string[]) | undefined {
  if (told === undefined) return undefined;
  if (subject === '_order_by')
    return (today) => inTurn(told, new Set(today.flatMap((one) => told.columns.get(one) ?? [])));
  const values = told.then.fields[nameThen(told, subject)]?.values;
  if (values === undefined) return undefined;
  return (today) => Object.keys(values).filter((name) => today.includes(values[name] ?? ''));
}

/** What every record has comes before its own. */
function inTurn({ then }: Told, names: ReadonlySet<string>): readonly string[] {
  const all = new Set(['id', 'date_created', 'date_updated', ...Object.keys(then.fields)]);
  return [...all].filter((name) => names.has(name));
}

/** What is wrong with parameters comes in their order, before what only the store can see. */
function inOrder({ then }: Told, failures: readonly Failure[]): readonly Failure[] {
  const order = Object.keys(then.fields);
  const at = ({ field }: Failure) => order.indexOf(field.split('/', 1)[0] ?? '');
  const isOfForm = ({ code }: Failure) => code === 'required' || code === 'invalid';
  const ofForm = failures.filter((one) => isOfForm(one) && at(one) >= 0);
  return [...ofForm.sort((one, other) => at(one) - at(other)), ...failures.filter((one) => !ofForm.includes(one))];
}
