import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/logins.test.js');
