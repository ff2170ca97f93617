import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/wing.test.js');
