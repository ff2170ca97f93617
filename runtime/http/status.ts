// `GET /api/status`, by which existing clients see that the service answers, and its clock.

import type { Profile } from './profiles.js';
import type { Route, RouteRequest } from './routes.js';

/** @returns the route; it answers `datetime`, the present moment as the profile writes dates (D05) */
export function statusRoute({ formatDate }: Pick<Profile, 'formatDate'>): Route {
  const run = ({ now }: RouteRequest) =>
    ({ status: 200, body: JSON.stringify({ datetime: formatDate(now) }) }) as const;
  const names = { resource: 'status', operation: 'fetch', definition: null, upload: null };
  return { method: 'GET', base: '/api/status', withId: false, tail: null, ...names, run };
}
