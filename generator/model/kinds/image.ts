// A file that is an image, with a flag that records that somebody has checked it.

import { uploadKind } from './upload.js';

export const image = uploadKind({
  kind: 'image',
  keys: ['proof'],
  // Its brief description is always shown, so it is not a related object.
  related: false,
  hasProof: ({ proof }) => proof !== false,
  types: ({ imageTypes }) => imageTypes,
});
