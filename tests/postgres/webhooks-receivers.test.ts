import { onPostgres } from '../support/on-postgres.js';

onPostgres('../webhooks/receivers.test.js');
