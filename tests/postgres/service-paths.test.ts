import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/paths.test.js');
