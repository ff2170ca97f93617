// The options of test services, and sessions opened without a login.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RunningServer, StartOptions } from '../../runtime/server/main.js';

/** The token that opens /metrics of the service. */
export const METRICS_TOKEN = 'figures';

/** Makes hashing take no time. Another test measures its cost in production. */
export const CHEAP_PASSWORDS = { n: 16, r: 8, p: 1 };

/** @returns options of a service on a free port, with data in `folder`, no rate limit, no log, and web hooks to this machine */
export function quietly(folder: string): StartOptions {
  return {
    port: 0,
    host: '127.0.0.1',
    database: join(folder, 'punchboard.db'),
    files: join(folder, 'files'),
    wire: 'plain',
    rateLimit: 0,
    passwordCost: CHEAP_PASSWORDS,
    generated: null,
    logLevel: 'silent',
    trustProxy: 0,
    metricsToken: METRICS_TOKEN,
    webhookAllowCidrs: ['127.0.0.0/8', '::1/128'],
  };
}

/** @returns options that open the service of a database without serving it */
export function openedAt(database: string) {
  return {
    database,
    wire: 'plain',
    generated: null,
    owner: true,
    random: randomBytes,
    passwordCost: CHEAP_PASSWORDS,
  } as const;
}

interface Login {
  /** Id of the user. */
  readonly user: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly apiKey?: string | null;
}

/** Opens a session without a request, since logins over HTTP are limited to ten a minute; resolves with its id. */
export async function sessionOf(
  { service }: Pick<RunningServer, 'service'>,
  { user, now, apiKey = null }: Login,
): Promise<string> {
  const { principal, sessions } = service;
  const password = await service.engine.records.secret(principal.name, user, 'password');
  if (password === null) throw new Error(`${user} has no password`);
  return (await sessions.open({ user, password, apiKey }, now)).id;
}
