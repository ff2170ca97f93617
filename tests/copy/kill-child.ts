// A process of its own that copies a service and is killed at a step: `node kill-child.js FROM TO STEP`.
import { atStep, copy } from './copying.js';

const [, , from = '', to = '', step = ''] = process.argv;
void copy(
  from,
  to,
  {},
  atStep(Number(step), () => process.kill(process.pid, 'SIGKILL')),
);
