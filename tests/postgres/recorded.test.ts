import { onPostgres } from '../support/on-postgres.js';

onPostgres('../recorded/recorded.test.js');
