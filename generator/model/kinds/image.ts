// A file that is an image, with a flag for whether somebody has checked it.

import { uploadKind } from './upload.js';

export const image = uploadKind({
  kind: 'image',
  makes:
    'An uploaded image: `top` makes the parameters and properties `top_id` and `has_proofed_top`, and the description `top` while an image is set.',
  keys: ['proof'],
  // Its brief description is always shown, so it is not a related object.
  related: false,
  hasProof: ({ proof }) => proof !== false,
  types: ({ imageTypes }) => imageTypes,
});
