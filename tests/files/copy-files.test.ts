// A store that fails during a copy is reported to the operator, and not mistaken for a failing database.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceError } from '../../runtime/contract/errors.js';
import { copyFile } from '../../runtime/files/copy-files.js';
import { openFolder } from '../../runtime/files/folder.js';
import { StartError } from '../../runtime/store/start-error.js';
import { temporaryFolder } from '../support/paths.js';

const HASH = createHash('sha256').update('abc').digest('hex');

test.each([
  ['does not respond', new ServiceError('unavailable', 'The file store does not respond (x); try again.')],
  ['no space', Object.assign(new Error('full'), { code: 'ENOSPC' })],
])('the operator gets a message about the failure: %s', async (text, failure) => {
  const to = await openFolder(temporaryFolder('copy-files'));
  const from = { ...to, find: async () => ({ size: 3, read: async () => Readable.from([Buffer.from('abc')]) }) };
  expect(await copyFile({ from, to }, HASH)).toBe(true);
  const failing = { ...to, find: async () => null, put: () => Promise.reject(failure) };
  const copying = copyFile({ from, to: failing }, HASH);
  await expect(copying).rejects.toThrow(StartError);
  await expect(copying).rejects.toThrow(new RegExp(`^the file ${HASH} was not copied: .*${text}`));
});
