// A file that is an image, with a flag that says somebody has checked it.

import { uploadKind } from './upload.js';

export const image = uploadKind({
  kind: 'image',
  keys: ['proof'],
  // It describes itself wherever it is shown.
  related: false,
  hasProof: ({ proof }) => proof !== false,
  types: ({ imageTypes }) => imageTypes,
});
