// Loaded into a server before everything else: acknowledges uploads whose bytes could not be stored, a bug that the laboratory
// must detect.

import type { BlobStore } from '../../../runtime/files/blob-store.js';

const folders = require('../../../runtime/files/folder.js') as { openFolder(path: string): Promise<BlobStore> };
const { openFolder } = folders;
folders.openFolder = async (path) => {
  const store = await openFolder(path);
  return { ...store, put: (hash, file) => store.put(hash, file).catch(() => false) };
};
