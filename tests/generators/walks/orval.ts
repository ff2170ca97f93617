// The functions of orval, which call fetch: log in, upload, create, fetch, update, delete.

import assert from 'node:assert/strict';
import { createFile, createFolder, createSession, deleteFolder, getFile, getFolder, updateFolder } from './client';
import { given, type Record, record } from './given';

async function main(): Promise<void> {
  const { login, png } = given();
  const session = recordOf(await createSession(login));
  const options = { headers: { Authorization: `Bearer ${session.id}` } };

  const folder = recordOf(await createFolder({ name: 'Artwork' }, options));
  const bytes = new File([Buffer.from(png, 'base64')], 'top.png', { type: 'image/png' });
  const file = recordOf(await createFile({ file: bytes, folder_id: folder.id }, options));
  assert.equal(file.name, 'top.png');

  const fetched = recordOf(await getFile(file.id, { _include_related_objects: ['folder'] }, options));
  assert.equal(fetched.folder?.name, 'Artwork');

  const changed = recordOf(await updateFolder(folder.id, { name: 'Pictures' }, options));
  assert.equal(changed.name, 'Pictures');

  assert.equal(recordOf(await deleteFolder(folder.id, options)).success, 1);
  assert.equal((await getFolder(folder.id, undefined, options)).status, 404);
}

interface Response {
  readonly status: number;
  readonly data: unknown;
}

/** The record of a successful response; any other response ends the walk. */
function recordOf<R extends Response>(response: R): Record<Success<R> & object> {
  assert(response.status < 300, JSON.stringify(response.data));
  return record(response.data as Success<R> & object);
}

type Success<R extends Response> = Extract<R, { readonly status: 200 | 201 }>['data'];

void main();
