// The errors that this server logged last.

import type { PageRoute } from '../page.js';
import type { RecentErrors } from '../recent-errors.js';
import { cell, pageView, section, table, timeCell } from '../view.js';

export function errorPages(errors: RecentErrors): readonly PageRoute[] {
  return [{ method: 'GET', path: '/errors', run: () => show(errors) }];
}

async function show(errors: RecentErrors) {
  const rows = (await errors.list()).map(({ time, msg, route, request_id, err }) => [
    timeCell(time),
    cell(route ?? '–', { code: true }),
    err?.stack === undefined ? cell(msg) : cell(err.stack, { long: true }),
    cell(request_id ?? '–', { code: true }),
  ]);
  const columns = ['When', 'Route', 'Error', 'Request id'];
  const empty = 'Nothing has gone wrong since this server started.';
  const shown = table({ caption: 'Errors', columns, rows, empty });
  return {
    page: pageView({ title: 'Errors', sections: [section({ note: 'The last 50 of this server.', table: shown })] }),
  };
}
