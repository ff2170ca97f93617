// The suites over HTTP again, on PostgreSQL; those that say least about an engine only in the long form.
import { count } from '../support/counts.js';
import { onPostgres } from '../support/on-postgres.js';

const SUITES = ['service/lost-updates', 'service/webhooks', 'service/idempotency', 'service/administrators'];
/** What they say of an engine is in its contract (tests/engine). */
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
