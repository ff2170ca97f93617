import { onPostgres } from '../support/on-postgres.js';

onPostgres('../webhooks/stop.test.js');
