// The generated tests again, on PostgreSQL; in the short form those of a few resources.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { ROOT } from '../support/paths.js';

const FOLDER = join(ROOT, 'dist', 'generated', 'tests');
const ALL = readdirSync(FOLDER).filter((name) => name.endsWith('.test.js'));

describe.each(ALL.slice(0, count(2, ALL.length)))('%s', (suite) => {
  onPostgres(() => require(join(FOLDER, suite)));
});
