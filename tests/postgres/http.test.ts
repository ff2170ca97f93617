// Runs the suites over HTTP on PostgreSQL; those that depend least on the engine only in the long form.
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';

const SUITES = ['service/lost-updates', 'service/webhooks', 'service/idempotency', 'service/administrators'];
/** The contract of the engine covers what these suites depend on (tests/engine). */
const FURTHER = [
  'service/deletes',
  'service/uploads',
  'service/downloads',
  'service/handwritten',
  'service/lists',
  'service/includes',
  'service/logins',
  'service/passwords',
  'service/paths',
  'service/resources',
  'service/transports',
  'service/wing',
  'access/matrix',
  'processes/processes',
];

describe.each([...SUITES, ...FURTHER.slice(0, count(0, FURTHER.length))])('%s', (suite) => {
  onPostgres(() => require(`../${suite}.test.js`));
});
