// A process that migrates a database and is killed at a step: `node kill-child.js URL JOB STEP`.
import type { Schema } from '../../../runtime/schema/schema.js';
import { open } from './fixture.js';

const [, , url = '', job = '', at = ''] = process.argv;
const { schema, now } = JSON.parse(job) as { readonly schema: Schema; readonly now: number };
const onStep = (step: number): void => {
  if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
};
void open(url, ({ migrate }) => migrate(schema, { now, holder: 'the killed one', onStep }));
