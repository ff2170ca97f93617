// Builds the headers that announce that something a request uses is deprecated (D38), with the earliest dates.
import type { AnyDefinition, Dates, Generated } from '../contract/definition.js';
import type { FlatHeaders } from './respond.js';

/** What is counted: a field by its name in the descriptor, empty for the resource itself. */
export interface DeprecatedUse {
  readonly resource: string;
  readonly field: string;
}

/** Something deprecated. */
export interface DeprecatedItem extends Dates {
  readonly use: DeprecatedUse;
}

/** The deprecated items that one request used. */
export interface Notice {
  readonly headers: FlatHeaders;
  /** Each once. */
  readonly uses: readonly DeprecatedUse[];
}

/** @param items at least one */
export function noticeOf(items: readonly DeprecatedItem[]): Notice {
  return { headers: headersOf(items), uses: items.map(({ use }) => use) };
}

/** Everything that may be counted, so that unused items show as 0. */
export function usesOf(
  definitions: readonly AnyDefinition[],
  versions: Generated['versions'] = {},
): readonly DeprecatedUse[] {
  const items = definitions.flatMap(({ name, deprecations = [] }) =>
    deprecations.map(({ field }) => ({ resource: name, field: field ?? '' })),
  );
  return [...items, ...Object.keys(versions).map(useOf)];
}

/** The use of a version of the API (D68): its resource is empty. */
export function useOf(version: string): DeprecatedUse {
  return { resource: '', field: version };
}

/** Where the deprecated items and their dates are documented. */
const DOCUMENT = '</openapi.json>; rel="deprecation"; type="application/json"';

/** RFC 9745 and RFC 8594: the earliest date of each kind, at the beginning of the day in UTC. */
export function headersOf(items: readonly Dates[]): FlatHeaders {
  const sunset = earliest(items.map((item) => item.sunset));
  // The sunset counts too if only another item is deprecated: nothing is deprecated after its removal (RFC 9745, section 4).
  const since = items.some(({ deprecated }) => deprecated !== undefined)
    ? earliest([sunset, ...items.map(({ deprecated }) => deprecated)])
    : undefined;
  return [
    ...(since === undefined ? [] : ['Deprecation', `@${Date.parse(since) / 1000}`]),
    ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
    ...(since === undefined ? [] : ['Link', DOCUMENT]),
  ];
}

/** The earliest of dates as YYYY-MM-DD, which sort as text. */
function earliest(dates: readonly (string | undefined)[]): string | undefined {
  return dates.filter((date) => date !== undefined).sort()[0];
}
