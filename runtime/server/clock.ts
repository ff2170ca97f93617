// The clock of a running program; code that depends on time gets it as an argument.

import type { Clock } from '../http/exchange.js';

export const CLOCK: Clock = { now: Date.now, tick: performance.now.bind(performance) };
