import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/downloads.test.js');
