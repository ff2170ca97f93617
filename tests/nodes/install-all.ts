// Installs the versions of Node that `npm run nodes` tries, which then finds them: `npm run nodes:install`. One that cannot be had
// is reported there.

import { installNode } from './install.js';
import { PROMISED } from './promised.js';

for (const wanted of PROMISED) installNode(wanted);
