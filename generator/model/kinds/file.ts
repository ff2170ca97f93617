// An uploaded file of any type.

import { uploadKind } from './upload.js';

export const file = uploadKind({ kind: 'file', keys: [], related: true, hasProof: () => false, types: () => null });
