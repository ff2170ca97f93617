// The service that a command works with, beside a server that may be running on the database.

import { randomBytes } from 'node:crypto';
import type { Author } from '../../contract/audit.js';
import type { Service } from '../../server/open-service.js';
import type { DatabaseOptions } from './operator-reports.js';

export interface AuthorAndTime {
  readonly author: Author;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Opens it, and closes it after the work. */
export async function withService(
  { database, generated }: DatabaseOptions,
  work: (service: Service, by: AuthorAndTime) => Promise<void>,
): Promise<void> {
  const now = Date.now();
  // Loaded on demand: other commands do not wait for it.
  const [{ openService }, { commandAuthor }] = await Promise.all([
    import('../../server/open-service.js'),
    import('./author.js'),
  ]);
  const service = await openService(
    { database, wire: 'plain', generated: generated ?? null, owner: false, random: randomBytes },
    now,
  );
  try {
    await work(service, { author: commandAuthor(), now });
  } finally {
    await service.engine.close();
  }
}
