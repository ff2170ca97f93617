import { onPostgres } from '../support/on-postgres.js';

describe.each(['webhooks/serve', 'webhooks/stop', 'portal/hooks'])('%s', (suite) => {
  onPostgres(() => require(`../${suite}.test.js`));
});
