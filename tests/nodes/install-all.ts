// `npm run nodes:install`: installs the versions of Node that `npm run nodes` tries, which reports one that is unavailable.

import { installNode } from './install.js';
import { PROMISED } from './promised.js';

for (const wanted of PROMISED) installNode(wanted);
