import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/passwords.test.js');
