// The versions of the API (D68): a caller that names one is answered as on the day on which it was cut. A request that names
// none costs the look at one header.

import type { AnyDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import type { MaybePromise } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { VersionDates, VersionTable } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import type { Profile } from '../profiles.js';
import type { PathNames } from '../resource-routes.js';
import type { FlatHeaders } from '../respond.js';
import type { Route, RouteRequest, Table } from '../routes.js';

export interface VersionSource {
  /** The versions by date, the oldest first. */
  readonly dates: Readonly<Record<string, VersionDates>>;
  /** The JSON text of the table of a version. */
  read(date: string): string;
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
  /** The version that the header names; undefined: the newest. Throws `malformed` if there is no such version. */
  asked(header: string): Version | undefined;
  /** The API document of a version, made from today's. Throws `malformed` likewise. */
  document(date: string, today: Buffer): Buffer;
}

/** The header may say this in place of a date. */
const NEWEST = 'newest';

export interface VersionContext {
  readonly definitions: readonly AnyDefinition[];
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean'>;
  /** @returns the routes of definitions whose paths are those of a version */
  routes(definitions: readonly AnyDefinition[], called: PathNames): Table;
}

export function createVersions({ dates, read, standard }: VersionSource, context: VersionContext): Versions {
  const known = Object.keys(dates);
  const tableOf = memoize((date: string) => JSON.parse(read(date)) as VersionTable);
  const versionOf = memoize((date: string) => {
    const next = known[known.indexOf(date) + 1];
    const deprecated = next === undefined ? {} : { deprecated: next };
    return loadVersion().createVersion(date, tableOf(date), { ...deprecated, ...dates[date] }, context);
  });
  const named = (date: string): string => {
    if (Object.hasOwn(dates, date)) return date;
    const others = known.length === 0 ? '' : `${known.join(', ')} or `;
    throw new ServiceError('malformed', `There is no version ${date.slice(0, 40)}; use ${others}"${NEWEST}".`);
  };
  return {
    standard: standard ?? undefined,
    asked: (header) => (header === NEWEST ? undefined : versionOf(named(header))),
    document: (date, today) => (date === NEWEST ? today : edited(today, tableOf(named(date)))),
  };
}

/** Loaded on demand: most requests name no version. */
function loadVersion() {
  return require('./version.js') as typeof import('./version.js');
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
