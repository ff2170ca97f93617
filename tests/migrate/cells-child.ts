// A process that fills the fields of cells.ts and is killed at a step: `node cells-child.js DATABASE SCHEMA NOW STEP`.

import { readFileSync } from 'node:fs';
import { readSchema, withFunctions } from '../../runtime/schema/compact.js';
import { isServerUrl } from '../../runtime/store/database-url.js';
import { applyTo } from '../../runtime/store/sqlite/migrate/apply.js';
import { openDatabase } from '../../runtime/store/sqlite/open.js';
import { FUNCTIONS } from './cells.js';
import { open } from './postgres/fixture.js';

const [, , database = '', path = '', now = '', at = ''] = process.argv;
const schema = withFunctions(readSchema(readFileSync(path, 'utf8')), FUNCTIONS);
const onStep = (step: number): void => {
  if (step === Number(at)) process.kill(process.pid, 'SIGKILL');
};
const target = { schema, now: Number(now), extraDdl: [], onStep };
if (isServerUrl(database)) {
  // Each run waits for the lease of the previous holder to end.
  void open(database, ({ migrate }) => migrate(schema, { ...target, holder: `the one at ${now}` }));
} else {
  const { db } = openDatabase(database, { owner: true });
  // Pages leave memory immediately, so that the log holds half a transaction when the process is killed.
  db.exec('PRAGMA cache_size = 50');
  applyTo(db, { ...target, permit: () => undefined });
}
