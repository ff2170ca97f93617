// A process that fills the fields of cells.ts and is killed at a step: `node cells-child.js URL SCHEMA NOW STEP`.

import { readFileSync } from 'node:fs';
import { readSchema, withFunctions } from '../../runtime/schema/compact.js';
import { FUNCTIONS } from './cells.js';
import { open } from './postgres/fixture.js';

const [, , url = '', path = '', now = '', at = ''] = process.argv;
const schema = withFunctions(readSchema(readFileSync(path, 'utf8')), FUNCTIONS);
const onStep = (step: number): void => {
  if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
};
// Each run waits for the lease of the previous holder to end.
void open(url, ({ migrate }) =>
  migrate(schema, { schema, now: Number(now), extraDdl: [], onStep, holder: `the one at ${now}` }),
);
