// A server loads this before everything else, and then answers uploads before their bytes are in place, which is the mistake
// that the crash test must be able to see. The bytes are held back until the process is killed.

import type { Blobs } from '../../runtime/files/blobs.js';

function heldBytes(blobs: Blobs): Blobs {
  return {
    ...blobs,
    async keep({ name, size, hash }) {
      return { name, size, hash, type: 'application/octet-stream', width: null, height: null };
    },
  };
}

const files = require('../../runtime/files/blobs.js') as { createBlobs: (...args: unknown[]) => Blobs };
const { createBlobs } = files;
files.createBlobs = (...args) => heldBytes(createBlobs(...args));
