// What is written by hand for single resources: lifecycle functions and actions, by resource. Nothing shared lives here.

import type { Behaviours } from '../behaviour.js';
import type { Actions } from '../operations/action.js';

export const behaviours: Behaviours = {};

export const actions: Actions = {};
