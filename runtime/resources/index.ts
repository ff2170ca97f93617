// The hand-written functions, by resource.

import type * as declared from '../../generated/behaviour.js';
import type { Actions, Behaviours, Fills } from '../contract/behaviour.js';
import * as designer from './designer.js';
import * as receipt from './receipt.js';

// `satisfies` makes the compiler report any declared function that is missing.
export const behaviours: Behaviours = {
  designer: designer.lifecycle,
  receipt: receipt.lifecycle,
} satisfies declared.Lifecycles as Behaviours;

export const fills: Fills = {} satisfies declared.Fills;

export const actions: Actions = { receipt: receipt.actions } satisfies declared.Actions as Actions;
