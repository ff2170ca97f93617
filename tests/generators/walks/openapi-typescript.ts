// A client of openapi-fetch, typed by openapi-typescript: log in, create, fetch, list, update, delete.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './client';
import { given, record } from './given';

async function main(): Promise<void> {
  const { baseUrl, login } = given();
  const client = createClient<paths>({ baseUrl });

  const opened = await client.POST('/api/session', { body: login });
  assert(opened.data !== undefined);
  const headers = { Authorization: `Bearer ${record(opened.data).id}` };

  const created = await client.POST('/api/apikey', { headers, body: { name: 'Layout editor' } });
  assert(created.data !== undefined);
  const id = record(created.data).id;
  const params = { path: { id } };

  const fetched = await client.GET('/api/apikey/{id}', { headers, params });
  assert(fetched.data !== undefined);
  assert.equal(record(fetched.data).name, 'Layout editor');

  const user = { id: record(opened.data).user_id };
  const query = { _items_per_page: 10, _order_by: ['-name' as const] };
  const listed = await client.GET('/api/user/{id}/apikeys', { headers, params: { path: user, query } });
  assert(listed.data !== undefined);
  assert.deepEqual(
    record(listed.data).items.map((one) => one.id),
    [id],
  );

  const changed = await client.PUT('/api/apikey/{id}', { headers, params, body: { name: 'Rules editor' } });
  assert(changed.data !== undefined);
  assert.equal(record(changed.data).name, 'Rules editor');

  const deleted = await client.DELETE('/api/apikey/{id}', { headers, params });
  assert(deleted.data !== undefined);
  assert.equal(record(deleted.data).success, 1);
  const afterDelete = await client.GET('/api/apikey/{id}', { headers, params });
  assert.equal(afterDelete.response.status, 404);
  assert(afterDelete.error !== undefined);
}

void main();
