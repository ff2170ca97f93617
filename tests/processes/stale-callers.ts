// Preloaded into a server: remembers the users of sessions, the mistake that the test of changed rights must detect.

import type { createSessions as Create, Sessions } from '../../runtime/auth/sessions.js';

const sessions = require('../../runtime/auth/sessions.js') as { createSessions: typeof Create };
const { createSessions } = sessions;

sessions.createSessions = (identity, secret): Sessions => {
  const remembered = new Map<string, ReturnType<Sessions['caller']>>();
  const real = createSessions(identity, secret);
  return {
    ...real,
    caller(id, now) {
      const caller = remembered.get(id) ?? real.caller(id, now);
      remembered.set(id, caller);
      return caller;
    },
  };
};
