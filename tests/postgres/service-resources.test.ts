import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/resources.test.js');
