// Opens a record by its id alone.

import { ServiceError } from '../../../contract/errors.js';
import type { Records } from '../../../store/records.js';
import type { PageRoute } from '../page.js';
import type { Resources } from '../resource.js';

export function findPages({ definitions }: Resources, store: Pick<Records, 'locate'>): readonly PageRoute[] {
  const names = definitions.map(({ name }) => name);
  return [
    {
      method: 'GET',
      path: '/find',
      async run({ query }) {
        const id = typeof query.id === 'string' ? query.id.trim() : '';
        const at = id === '' ? -1 : await store.locate(names, id);
        if (at < 0) throw new ServiceError('not_found', 'There is no record with this id.');
        return { to: `/records/${names[at]}/${encodeURIComponent(id)}` };
      },
    },
  ];
}
