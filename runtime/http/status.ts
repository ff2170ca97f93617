// `GET /api/status`, with which existing clients check that the service answers, and read its clock.

import type { Profile } from './profiles.js';
import type { Route, RouteRequest } from './routes.js';

/** @returns the route; it answers `datetime`, the current time as the profile writes dates (D05) */
export function statusRoute({ formatDate }: Pick<Profile, 'formatDate'>): Route {
  const run = ({ now }: RouteRequest) =>
    ({ status: 200, body: JSON.stringify({ datetime: formatDate(now) }) }) as const;
  const names = { resource: 'status', operation: 'fetch', definition: null, upload: null };
  return { method: 'GET', base: '/api/status', withId: false, tail: null, ...names, run };
}
