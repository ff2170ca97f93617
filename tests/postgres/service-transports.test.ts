import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/transports.test.js');
