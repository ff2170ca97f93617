// What a designer does besides being stored: its web hooks go with it, each with its unsubscribe.

import type { Lifecycles } from '../../generated/behaviour.js';
import { ownerDeleted } from '../webhooks/rules/hooks.js';

export const lifecycle: Lifecycles['designer'] = {
  afterDelete: (old) => ({ events: [ownerDeleted('designer', old.id)] }),
};
