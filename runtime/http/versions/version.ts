// One version of the API (D68): its paths, and the translation of requests and answers. Loaded with the first request that names
// a version.

import type { AnyDefinition, RouteDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { chain, rescue } from '../../contract/maybe-promise.js';
import type { NameTable, VersionDates } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import { headersOf } from '../notice.js';
import type { Route } from '../routes.js';
import { earlierBody, isOfCatalogue, rowToday } from './answers.js';
import { earlierError, withoutMark } from './errors.js';
import { createNames, type VersionNames } from './names.js';
import { parametersToday } from './parameters.js';
import { isShown, shownIn } from './shown.js';
import type { Version, VersionContext } from './versions.js';

type Dates = VersionDates & { readonly deprecated?: string };

export function createVersion(date: string, table: NameTable, dates: Dates, context: VersionContext): Version {
  const names = createNames(table, context);
  return {
    date,
    headers: ['Punchboard-Version', date, ...headersOf([dates])],
    routes: context.routes(earlierDefinitions(context.definitions, table), names, shownIn(names, context)),
    run(route, request, work) {
      const id = isOfCatalogue(route) && route.withId ? rowToday(table, request.id) : request.id;
      const { caller, session, address, now, upload, conditions, parameters: sent } = request;
      return rescue(
        () => {
          const parameters = parametersToday(names, route, sent);
          const isToday = id === request.id && parameters === sent;
          // A copy by `...` would take longer.
          const today = isToday ? request : { id, parameters, caller, session, address, now, upload, conditions, sent };
          return chain(work(today), (answer) => earlierAnswer(names, route, answer));
        },
        (error) => {
          throw error instanceof ServiceError ? earlierError(names, route, error) : error;
        },
      );
    },
  };
}

function earlierAnswer(names: VersionNames, route: Route, answer: Answer): Answer {
  const { status, version, records, location } = answer;
  const ignored = answer.ignored?.map(withoutMark);
  const body = isShown(answer) ? answer.body : earlierBody(names, route, answer.body);
  return { status, body, version, records, location: location && names.path(location), ignored };
}

/** Puts the earlier paths before today's, and leaves out those of today that were the paths of something else. */
function earlierDefinitions(definitions: readonly AnyDefinition[], { resources }: NameTable): readonly AnyDefinition[] {
  const key = ({ method, path }: RouteDefinition) => `${method} ${path}`;
  const taken = new Set(Object.values(resources).flatMap(({ routes = [] }) => routes.map(key)));
  return definitions.map((definition) => {
    const { routes: own = [], oldNames } = resources[definition.name] ?? {};
    const routes = [...own, ...definition.routes.filter((route) => !taken.has(key(route)))];
    return { ...definition, routes, ...(oldNames === undefined ? {} : { oldNames }) };
  });
}
