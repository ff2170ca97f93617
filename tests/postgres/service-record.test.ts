import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/record.test.js');
