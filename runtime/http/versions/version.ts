// One version of the service (D68): its paths, and how a request is carried out between its names and those of today. Loaded with
// the first request that names a version.

import type { AnyDefinition, RouteDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { chain, rescue } from '../../contract/maybe-promise.js';
import { memoize } from '../../contract/memoize.js';
import type { VersionDates, VersionTable } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import { headersOf } from '../notice.js';
import type { Route } from '../routes.js';
import { createNames, memberThen } from './names.js';
import { ignoredThen, refusedThen } from './refused.js';
import { sentToday } from './sent.js';
import { catalogueThen, rowToday, type Showing, shownThen } from './shown.js';
import type { Version, VersionContext } from './versions.js';

type Dates = VersionDates & { readonly deprecated?: string };

export function createVersion(date: string, table: VersionTable, dates: Dates, context: VersionContext): Version {
  const { definitions, profile } = context;
  const names = createNames(definitions, table);
  const called = {
    type: ({ name }: AnyDefinition) => names.name(name),
    relation: ({ name }: AnyDefinition, relation: string) => memberThen(names.told(name), relation),
  };
  const showing: Showing = { names, table, profile };
  const routes = memoize((_: 'once') => context.routes(definitionsThen(definitions, table), called));
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
