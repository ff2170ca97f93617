// Loaded into a server before everything else: hashes passwords cheaply, for tests that send thousands of logins.

import type { createPasswords } from '../../runtime/auth/passwords.js';
import { CHEAP_PASSWORDS } from './quiet-service.js';

const passwords = require('../../runtime/auth/passwords.js') as { createPasswords: typeof createPasswords };
const { createPasswords: real } = passwords;

passwords.createPasswords = (_cost, queue) => real(CHEAP_PASSWORDS, queue);
