import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/handwritten.test.js');
