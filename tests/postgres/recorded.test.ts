import { onPostgres } from '../support/on-postgres.js';

onPostgres(() => require('../recorded/recorded.test.js'));
