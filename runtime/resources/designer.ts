// Deletes the web hooks of a deleted designer, each with its unsubscribe.

import type { Lifecycles } from '../../generated/behaviour.js';
import { ownerDeleted } from '../rules/hooks.js';

export const lifecycle: Lifecycles['designer'] = {
  afterDelete: (old) => ({ events: [ownerDeleted('designer', old.id)] }),
};
