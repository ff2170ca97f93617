import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/webhooks.test.js');
