// A process that migrates a database and is killed at a step: `node kill-child.js DATABASE JOB STEP`.

import { readFileSync } from 'node:fs';
import { applyTo } from '../../runtime/store/sqlite/migrate/apply.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import type { Job } from './kills.js';

const [, , database = '', job = '', at = ''] = process.argv;
const { schema, now, extraDdl } = JSON.parse(readFileSync(job, 'utf8')) as Job;
const { db } = openDatabase(database, { owner: true });
// Pages leave memory immediately, so that the log holds half a transaction when the process is killed.
db.exec('PRAGMA cache_size = 2');
const onStep = (step: number): void => {
  if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
};
applyTo(db, { schema, now, extraDdl, permit: () => undefined, onStep });
