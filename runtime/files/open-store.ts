// Chooses where the bytes of files are kept: the only place that knows the implementations.

import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { assertInstalled } from '../contract/peers.js';
import { StartError } from '../store/start-error.js';
import type { BlobStore } from './blob-store.js';
import { isFolder } from './files-place.js';
import { openFolder } from './folder.js';

/** @param place path of a folder, created if it is missing, or address of a bucket. Throws StartError. */
export async function openBlobStore(place: string): Promise<BlobStore> {
  if (isFolder(place)) return openFolder(resolve(place)).catch(notCreated('the files folder', 'another with --files'));
  const { bucketAddress } = require('./bucket-address.js') as typeof import('./bucket-address.js');
  const address = bucketAddress(place);
  assertInstalled('@aws-sdk/client-s3');
  const incoming = await temporaryFolder().catch(notCreated('a folder for uploads', 'another with TMPDIR'));
  // Loaded on demand, so that servers with a folder do not wait for the library.
  const { openBucket } = require('./bucket.js') as typeof import('./bucket.js');
  return openBucket(address, { incoming });
}

/** For uploads while they are received: one folder for each user of this machine, so that the walk finds leftovers of a crash. */
async function temporaryFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `punchboard-uploads-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Anybody may create things there, including a link to another folder of this user.
  const stats = await lstat(folder);
  if (!stats.isDirectory() || (uid >= 0 && stats.uid !== uid)) throw new Error(`${folder} was made by somebody else`);
  return folder;
}

function notCreated(place: string, choice: string): (error: Error) => never {
  return ({ message }) => {
    throw new StartError(`${place} cannot be created (${message}): choose ${choice}`);
  };
}
