import { onPostgres } from '../support/on-postgres.js';

onPostgres('../files/serve.test.js');
