import { onPostgres } from '../support/on-postgres.js';

onPostgres('../access/matrix.test.js');
