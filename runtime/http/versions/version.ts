// One version of the API (D68): its paths, and the translation of requests and answers. Loaded with the first request that names
// a version.

import type { AnyDefinition, RouteDefinition } from '../../contract/definition.js';
import { ServiceError } from '../../contract/errors.js';
import { chain, rescue } from '../../contract/maybe-promise.js';
import type { NameTable, VersionDates } from '../../contract/versions.js';
import type { Answer } from '../../operations/call.js';
import { headersOf } from '../notice.js';
import type { Route } from '../routes.js';
import { type AnswerContext, earlierBody, earlierRows, rowToday } from './answers.js';
import { earlierError, withoutMark } from './errors.js';
import { createNames, earlierMember } from './names.js';
import { parametersToday } from './parameters.js';
import { isShown, readsIn } from './shown.js';
import type { Version, VersionContext } from './versions.js';

type Dates = VersionDates & { readonly deprecated?: string };

export function createVersion(date: string, table: NameTable, dates: Dates, context: VersionContext): Version {
  const { definitions, profile } = context;
  const names = createNames(definitions, table);
  const called = {
    type: ({ name }: AnyDefinition) => names.name(name),
    relation: ({ name }: AnyDefinition, relation: string) => earlierMember(names.mapping(name), relation),
  };
  const answers: AnswerContext = { names, table, profile };
  return {
    date,
    headers: ['Punchboard-Version', date, ...headersOf([dates])],
    routes: context.routes(earlierDefinitions(definitions, table), called, readsIn(names, context)),
    run(route, request, work) {
      const id = isOfCatalogue(route) && route.withId ? rowToday(table, request.id) : request.id;
      const { caller, session, address, now, upload, conditions, parameters: sent } = request;
      let parameters = sent;
      return rescue(
        () => {
          parameters = parametersToday(names, route, sent);
          const isToday = id === request.id && parameters === sent;
          // No identity is empty: a row that the version does not have is not found. A copy by `...` would take longer.
          const today = isToday
            ? request
            : { id: id ?? '', parameters, caller, session, address, now, upload, conditions, sent };
          return chain(work(today), (answer) => earlierAnswer(answers, route, answer));
        },
        (error) => {
          throw error instanceof ServiceError ? earlierError(names, route, parameters, error) : error;
        },
      );
    },
  };
}

function earlierAnswer(context: AnswerContext, route: Route, answer: Answer): Answer {
  const { names, table } = context;
  const { status, version, records, location } = answer;
  const ignored = answer.ignored?.map(withoutMark);
  if (isShown(answer)) return ignored === undefined || ignored.length === 0 ? answer : { ...answer, ignored };
  const body = isOfCatalogue(route) ? earlierRows(table, answer.body) : earlierBody(context, route, answer.body);
  return { status, body, version, records, location: location && names.path(location), ignored };
}

function isOfCatalogue({ resource, definition }: Route): boolean {
  return resource === 'catalogue' && definition === null;
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
