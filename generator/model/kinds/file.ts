// An uploaded file of any type.

import { uploadKind } from './upload.js';

export const file = uploadKind({
  kind: 'file',
  makes:
    'An uploaded file of any type: `rules` makes the parameter and property `rules_id`, the description `rules`, and the relationship `rules`.',
  keys: [],
  related: true,
  hasProof: () => false,
  types: () => null,
});
