// Runs the generated tests on PostgreSQL; the short form runs those of one resource.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';
import { ROOT } from '../support/paths.js';

const FOLDER = join('generated', 'tests');
const ALL = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.test.ts'));
const FEW = ['game.test.ts'];

describe.each(count(0, 1) === 1 ? ALL : FEW)('%s', (suite) => {
  onPostgres(() => require(join(ROOT, 'dist', FOLDER, suite.replace(/ts$/, 'js'))));
});
