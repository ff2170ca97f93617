// The versions of the service (D68), beside the wire profile: who names one is answered as on the day on which it was cut. The
// newest costs one look at a header.

import type { AnyDefinition, RouteDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { chain, type MaybePromise, rescue } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { VersionDates, VersionTable } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import { headersOf } from '../notice.js';
import type { Profile } from '../profiles.js';
import type { FlatHeaders } from '../respond.js';
import type { Route, RouteRequest, Table } from '../routes.js';
import { createNames, type Names } from './names.js';
import { ignoredThen, refusedThen } from './refused.js';
import { sentToday } from './sent.js';
import { catalogueThen, rowToday, type Showing, shownThen } from './shown.js';

export interface VersionSource {
  /** By date, the oldest first. */
  readonly dates: Readonly<Record<string, VersionDates>>;
  /** The text of the table of one of them. */
  read(date: string): string;
  /** What callers get who name none; null: the newest. */
  readonly standard: string | null;
}

/** How a request is carried out for a caller of one version. */
export interface Version {
  readonly date: string;
  /** Of every answer. */
  readonly headers: FlatHeaders;
  readonly routes: Table;
  /** The route, between the names of then and of today. */
  run(route: Route, request: RouteRequest, work: (request: RouteRequest) => MaybePromise<Answer>): MaybePromise<Answer>;
}

export interface Versions {
  /** By the header; undefined: the newest. Throws `malformed` for one that there is not. */
  asked(header: string | string[] | undefined): Version | undefined;
  /** The API document of a version, from that of today. Throws likewise. */
  document(date: string, today: Buffer): Buffer;
}

/** What the header of a version says in place of a date. */
const NEWEST = 'newest';

export interface VersionContext {
  readonly definitions: readonly AnyDefinition[];
  readonly profile: Pick<Profile, 'formatDate' | 'formatBoolean'>;
  /** @returns the routes of definitions whose paths are those of a version */
  routes(definitions: readonly AnyDefinition[], names: Names): Table;
}

export function createVersions({ dates, read, standard }: VersionSource, context: VersionContext): Versions {
  const known = Object.keys(dates);
  const tableOf = memoize((date: string) => JSON.parse(read(date)) as VersionTable);
  const versionOf = memoize((date: string) => {
    const next = known[known.indexOf(date) + 1];
    const deprecated = next === undefined ? {} : { deprecated: next };
    return createVersion(date, tableOf(date), { ...deprecated, ...dates[date] }, context);
  });
  const named = (date: string): string => {
    if (Object.hasOwn(dates, date)) return date;
    const there = known.length === 0 ? 'there is none' : `there are ${known.join(', ')}`;
    throw new ServiceError('malformed', `There is no version ${date.slice(0, 40)}: ${there}, and "${NEWEST}".`);
  };
  const otherwise = standard === null ? undefined : named(standard);
  return {
    asked(header) {
      if (header === undefined) return otherwise === undefined ? undefined : versionOf(otherwise);
      return String(header) === NEWEST ? undefined : versionOf(named(String(header)));
    },
    document: (date, today) => (date === NEWEST ? today : edited(today, tableOf(named(date)))),
  };
}

type Dates = VersionDates & { readonly deprecated?: string };

function createVersion(date: string, table: VersionTable, dates: Dates, context: VersionContext): Version {
  const { definitions, profile } = context;
  const names = createNames(definitions, table);
  const showing: Showing = { names, table, profile };
  const routes = memoize((_: 'once') => context.routes(definitionsThen(definitions, table), names));
  return {
    date,
    headers: ['Punchboard-Version', date, ...headersOf([dates])],
    routes: { find: (path) => routes('once').find(path) },
    run(route, request, work) {
      const isRow = route.resource === 'catalogue' && route.definition === null;
      const id = isRow && route.withId ? rowToday(table, request.id) : request.id;
      return rescue(
        () => {
          const parameters = sentToday(names, route, request.parameters);
          // An identity that had no row is asked for as one that there is not.
          const today = { ...request, id: id ?? '', parameters, sent: request.parameters };
          return chain(work(today), (answer) => answerThen(showing, route, answer));
        },
        (error) => {
          throw error instanceof ServiceError ? refusedThen(names, route, error) : error;
        },
      );
    },
  };
}

function answerThen(showing: Showing, route: Route, answer: Answer): Answer {
  const { names, table } = showing;
  const isRow = route.resource === 'catalogue' && route.definition === null;
  const body = isRow ? catalogueThen(table, answer.body) : shownThen(showing, route, answer.body);
  const { ignored, location } = answer;
  return {
    ...answer,
    body,
    ...(ignored === undefined ? {} : { ignored: ignoredThen(ignored) }),
    ...(location === undefined ? {} : { location: names.path(location) }),
  };
}

/** With the paths of then before those of today, which are left out where they were something else's. */
function definitionsThen(definitions: readonly AnyDefinition[], { resources }: VersionTable): readonly AnyDefinition[] {
  const key = ({ method, path }: RouteDefinition) => `${method} ${path}`;
  const taken = new Set(Object.values(resources).flatMap(({ routes = [] }) => routes.map(key)));
  return definitions.map((definition) => {
    const { routes: own = [], oldNames } = resources[definition.name] ?? {};
    const routes = [...own, ...definition.routes.filter((route) => !taken.has(key(route)))];
    return { ...definition, routes, ...(oldNames === undefined ? {} : { oldNames }) };
  });
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
