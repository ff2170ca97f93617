import { onCitus } from '../support/on-postgres.js';

onCitus(() => require('../recorded/recorded.test.js'));
