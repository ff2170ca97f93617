// How the document says that something is to go (D38): marks, a sentence, and the headers that announce it. Decides nothing.

import type { Dates } from '../../../runtime/definition.js';
import { deprecationSentence } from '../../model/deprecation.js';
import type { Model } from '../../model/model.js';
import { component, type Fragment, sentences } from './fragment.js';
import { successResponse } from './responses.js';

/** `deprecated` and `x-sunset`, for what a field or parameter is described by; nothing for what stays. */
export function marks(ends: Dates | undefined): Fragment {
  return {
    ...(ends?.deprecated === undefined ? {} : { deprecated: true }),
    ...(ends?.sunset === undefined ? {} : { 'x-sunset': ends.sunset }),
  };
}

/** What an operation uses that is to go. */
export interface Uses {
  /** Without which it would not be: it goes with the first of them. */
  readonly always: readonly Dates[];
  /** True: it may be asked for something that goes before it. */
  readonly maybe: boolean;
}

/** @returns the operation as it is where nothing that it uses is to go */
export function ended(operation: Fragment, { always, maybe }: Uses): Fragment {
  const announced =
    always.length > 0 || maybe ? { ...operation, responses: announcing(operation.responses) } : operation;
  if (always.length === 0) return announced;
  const ends = first(always);
  const description = sentences(String(operation.description ?? ''), deprecationSentence(ends));
  return { ...announced, description, ...marks(ends) };
}

/** Two operations at one path and method: the path is to go when both are. */
export function joinedMarks(one: Fragment, other: Fragment): Fragment {
  if (one.deprecated !== true || other.deprecated !== true) return {};
  const sunsets = [one['x-sunset'], other['x-sunset']].filter((date) => date !== undefined).sort();
  return { deprecated: true, ...(sunsets.length < 2 ? {} : { 'x-sunset': sunsets[1] }) };
}

/** The earliest date of each kind. */
function first(all: readonly Dates[]): Dates {
  const [deprecated] = all.flatMap((ends) => ends.deprecated ?? []).sort();
  const [sunset] = all.flatMap((ends) => ends.sunset ?? []).sort();
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}

const ANNOUNCING = ['Deprecation', 'Sunset', 'Link'];

const HEADERS: Fragment = Object.fromEntries(ANNOUNCING.map((name) => [name, component('headers', name)]));

/** Headers that any error may carry, once something is deprecated. */
export function announcedByErrors({ resources }: Model): readonly string[] {
  return resources.some(({ deprecations }) => deprecations.length > 0) ? ANNOUNCING : [];
}

/** Successes with the headers; errors carry them too, but are described once for all. */
function announcing(responses: unknown): Fragment {
  const answers = Object.entries(responses as Readonly<Record<string, Fragment>>);
  return Object.fromEntries(
    answers.map(([status, answer]) => (status.startsWith('2') ? [status, withHeaders(answer)] : [status, answer])),
  );
}

function withHeaders(answer: Fragment): Fragment {
  const own = answer.$ref === undefined ? answer : (successResponse().success as Fragment);
  return { ...own, headers: { ...(own.headers as Fragment), ...HEADERS } };
}
