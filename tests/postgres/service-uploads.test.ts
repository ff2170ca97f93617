import { onPostgres } from '../support/on-postgres.js';

onPostgres('../service/uploads.test.js');
