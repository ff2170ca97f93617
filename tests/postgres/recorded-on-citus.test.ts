import { onCitus } from '../support/on-citus.js';

onCitus('../recorded/recorded.test.js');
