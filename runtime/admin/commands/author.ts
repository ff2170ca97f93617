// The author that the audit log names for what a command changes (D51).

import { userInfo } from 'node:os';
import type { Author } from '../../contract/audit.js';

/** The account of the machine that runs the command. */
export function commandAuthor(): Author {
  return { user: null, name: `${accountName()} (command line)` };
}

/** An account in a container may have a number only. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
