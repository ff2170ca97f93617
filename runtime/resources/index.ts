// What is written by hand for single resources: lifecycle functions and actions, by resource. Nothing shared lives here.

import type * as declared from '../../generated/behaviour.js';
import type { Behaviours } from '../behaviour.js';
import type { Actions } from '../operations/action.js';

// `satisfies` what the descriptors declare: the compiler names what is missing.
export const behaviours: Behaviours = {} satisfies declared.Lifecycles;

export const actions: Actions = {} satisfies declared.Actions;
