// How the document announces a deprecation (D38): marks, a sentence, and response headers. Decides nothing.

import type { Dates } from '../../../runtime/contract/definition.js';
import { deprecationSentence } from '../../model/deprecation.js';
import type { Model } from '../../model/model.js';
import { component, type Fragment, sentences } from './fragment.js';
import { successResponse } from './responses.js';

/** `deprecated` and `x-sunset`, for the description of a field or parameter; empty if it is not deprecated. */
export function deprecationKeys(dates: Dates | undefined): Fragment {
  return {
    ...(dates?.deprecated === undefined ? {} : { deprecated: true }),
    ...(dates?.sunset === undefined ? {} : { 'x-sunset': dates.sunset }),
  };
}

/** The deprecated fields, parameters and resources that an operation uses. */
export interface DeprecatedUses {
  /** The operation cannot exist without these: it is removed with the first of them. */
  readonly always: readonly Dates[];
  /** Whether a request may use something that is removed before the operation itself. */
  readonly maybe: boolean;
}

/** @returns the operation, unchanged if nothing that it uses is deprecated */
export function markDeprecated(operation: Fragment, { always, maybe }: DeprecatedUses): Fragment {
  const announced =
    always.length > 0 || maybe ? { ...operation, responses: withAnnouncement(operation.responses) } : operation;
  if (always.length === 0) return announced;
  const dates = first(always);
  const description = sentences(String(operation.description ?? ''), deprecationSentence(dates));
  return { ...announced, description, ...deprecationKeys(dates) };
}

/** Two operations at one path and method: the path is deprecated if both are. */
export function joinDeprecations(one: Fragment, other: Fragment): Fragment {
  if (one.deprecated !== true || other.deprecated !== true) return {};
  const sunsets = [one['x-sunset'], other['x-sunset']].filter((date) => date !== undefined).sort();
  return { deprecated: true, ...(sunsets.length < 2 ? {} : { 'x-sunset': sunsets[1] }) };
}

/** The earliest date of each kind. */
function first(all: readonly Dates[]): Dates {
  const [deprecated] = all.flatMap((dates) => dates.deprecated ?? []).sort();
  const [sunset] = all.flatMap((dates) => dates.sunset ?? []).sort();
  return { ...(deprecated === undefined ? {} : { deprecated }), ...(sunset === undefined ? {} : { sunset }) };
}

const ANNOUNCING = ['Deprecation', 'Sunset', 'Link'];

const HEADERS: Fragment = Object.fromEntries(ANNOUNCING.map((name) => [name, component('headers', name)]));

/** Headers that any error may carry, once something is deprecated. */
export function deprecationHeaders({ resources }: Model): readonly string[] {
  return resources.some(({ deprecations }) => deprecations.length > 0) ? ANNOUNCING : [];
}

/** Adds the headers to successful responses; errors have them too, but are described once for all operations. */
function withAnnouncement(responses: unknown): Fragment {
  const entries = Object.entries(responses as Readonly<Record<string, Fragment>>);
  return Object.fromEntries(
    entries.map(([status, response]) =>
      status.startsWith('2') ? [status, withHeaders(response)] : [status, response],
    ),
  );
}

function withHeaders(response: Fragment): Fragment {
  const inline = response.$ref === undefined ? response : (successResponse().success as Fragment);
  return { ...inline, headers: { ...(inline.headers as Fragment), ...HEADERS } };
}
