import { onPostgres } from '../support/on-postgres.js';

onPostgres('../webhooks/serve.test.js');
