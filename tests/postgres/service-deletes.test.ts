import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/deletes.test.js');
