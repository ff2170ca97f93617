import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/lists.test.js');
