import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/includes.test.js');
