// The headers that tell a caller that something it uses is deprecated (D38), with the earliest dates.
import type { AnyDefinition, Dates } from '../definition.js';
import type { FlatHeaders } from './headers.js';

/** What is counted: a field as its descriptor names it, empty for the resource itself. */
export interface Use {
  readonly resource: string;
  readonly field: string;
}

/** Something that is to go. */
export interface Mark extends Dates {
  readonly use: Use;
}

/** What one request used. */
export interface Notice {
  readonly headers: FlatHeaders;
  /** Each once. */
  readonly uses: readonly Use[];
}

/** @param marks at least one */
export function noticeOf(marks: readonly Mark[]): Notice {
  return { headers: headersOf(marks), uses: marks.map(({ use }) => use) };
}

/** Everything that may be counted, so that what nobody uses shows as 0. */
export function usesOf(definitions: readonly AnyDefinition[]): readonly Use[] {
  return definitions.flatMap(({ name, deprecations = [] }) =>
    deprecations.map(({ field }) => ({ resource: name, field: field ?? '' })),
  );
}

/** Where the dates, and what they are of, can be read. */
const DOCUMENT = '</openapi.json>; rel="deprecation"; type="application/json"';

/** RFC 9745 and RFC 8594: the earliest date each, at the beginning of the day in UTC. */
function headersOf(marks: readonly Mark[]): FlatHeaders {
  const sunset = earliest(marks.map((mark) => mark.sunset));
  // Where only the other mark says since when: nothing is deprecated after it has gone (RFC 9745, section 4).
  const since = marks.some(({ deprecated }) => deprecated !== undefined)
    ? earliest([sunset, ...marks.map(({ deprecated }) => deprecated)])
    : undefined;
  return [
    ...(since === undefined ? [] : ['Deprecation', `@${Date.parse(since) / 1000}`]),
    ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
    ...(since === undefined ? [] : ['Link', DOCUMENT]),
  ];
}

/** Of dates as YYYY-MM-DD, whose order is that of their text. */
function earliest(dates: readonly (string | undefined)[]): string | undefined {
  return dates.filter((date) => date !== undefined).sort()[0];
}
