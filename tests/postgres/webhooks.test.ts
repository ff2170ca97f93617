import { onPostgres } from '../support/on-postgres.js';

describe.each(['serve', 'stop'])('%s', (suite) => {
  onPostgres(() => require(`../webhooks/${suite}.test.js`));
});
