// The versions of the API (D68): a caller that names one is answered as on the day on which it was cut. A request that names
// none costs a look at one header.

import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { VersionDates, VersionTable } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import type { Operations } from '../../operations/operations.js';
import type { Records } from '../../store/records.js';
import { HTTP_PARTS } from '../optional-parts.js';
import type { Profile } from '../profiles.js';
import type { PathNames } from '../resource-routes.js';
import type { FlatHeaders } from '../respond.js';
import type { Route, RouteRequest, Table } from '../routes.js';

export interface VersionSource {
  /** The versions by date, the oldest first. */
  readonly dates: Readonly<Record<string, VersionDates>>;
  /** The table of a version. */
  table(date: string): VersionTable;
  /** The version of callers that name none; null: the newest. */
  readonly standard: string | null;
}

/** How a request is carried out for a caller of one version. */
export interface Version {
  readonly date: string;
  /** Headers of every answer. */
  readonly headers: FlatHeaders;
  readonly routes: Table;
  /** Calls `work` with the request in today's names, and gives its answer in the earlier ones. */
  run(route: Route, request: RouteRequest, work: (request: RouteRequest) => MaybePromise<Answer>): MaybePromise<Answer>;
}

export interface Versions {
  /** The version of callers that name none; undefined: the newest. */
  readonly standard: string | undefined;
  /** The version of that name; undefined: the newest. Throws `malformed` if there is no such version. */
  asked(name: string): Version | undefined;
  /** The newest version that has the path, which may no longer be one of today. */
  withPath(path: string): Version | undefined;
  /** The API document of a version, made from today's. Throws `malformed` likewise. */
  document(date: string, today: Buffer): Buffer;
}

/** The name of today's version, in place of a date. */
const NEWEST = 'newest';

type Dates = Pick<VersionSource, 'dates'>;

export function isVersion({ dates }: Dates, name: unknown): boolean {
  return name === NEWEST || (typeof name === 'string' && Object.hasOwn(dates, name));
}

/** The sentence that refuses a name. */
export function noVersion({ dates }: Dates, name: string): string {
  const others = [...Object.keys(dates), ''].join(', ').replace(/, $/, ' or ');
  return `There is no version ${name.slice(0, 40)}; use ${others}"${NEWEST}".`;
}

/** Operations whose answers the store can compose in the names of a version. */
export type ShownOperations = Pick<Operations, 'fetch' | 'list' | 'create' | 'update'>;

export interface VersionContext {
  readonly definitions: readonly AnyDefinition[];
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean' | 'otherPageSize' | 'boundPrefixes'>;
  readonly operations: ShownOperations;
  operationsOver(methods: Partial<Records>): ShownOperations;
  readonly store: Pick<Records, 'shownBy'>;
  /** @returns the routes of definitions whose paths are those of a version, with its operations */
  routes(definitions: readonly AnyDefinition[], called: PathNames, shown: ShownOperations): Table;
}

/** What translates names without the routes of a version. */
export type NameContext = Pick<VersionContext, 'definitions' | 'profile'>;

export function createVersions(source: VersionSource, context: VersionContext): Versions {
  const { dates, table, standard } = source;
  const known = Object.keys(dates);
  const versionOf = memoize((date: string) => {
    const next = known[known.indexOf(date) + 1];
    // The document is by far the greater part, and is needed once.
    const { document: _, ...names } = table(date);
    return HTTP_PARTS.version().createVersion(
      date,
      names,
      { ...(next && { deprecated: next }), ...dates[date] },
      context,
    );
  });
  const named = (name: string): string => {
    if (isVersion(source, name)) return name;
    throw new ServiceError('malformed', noVersion(source, name));
  };
  const asked = (name: string) => (named(name) === NEWEST ? undefined : versionOf(name));
  return {
    standard: standard ?? undefined,
    asked,
    withPath: (path) => asked(known.findLast((one) => versionOf(one).routes.find(path) !== null) ?? NEWEST),
    document: (name, today) => (named(name) === NEWEST ? today : edited(today, table(name))),
  };
}

function edited(today: Buffer, { document }: VersionTable): Buffer {
  const whole = JSON.parse(today.toString()) as Record<string, unknown>;
  for (const [place, value] of document) {
    const keys = [...place];
    const last = keys.pop() ?? '';
    const at = keys.reduce((one, key) => one[key] as Record<string, unknown>, whole);
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return Buffer.from(JSON.stringify(whole));
}
