// Completes the environment of a command before its options are read: settings from a file `.env` in the folder where it runs,
// and secrets from files, as containers get them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Record<string, string | undefined>;

/** Variables whose value may be in the file that `<name>_FILE` names; `command.ts` reads those of databases. */
const SECRETS = ['SMTP_URL', 'METRICS_TOKEN', 'WEBHOOK_SECRET'];

/** Variables that are already set stay as they are. @returns what is wrong, as a sentence; null: nothing */
export function completeEnvironment(env: Environment, folder: string): string | null {
  const file = join(folder, '.env');
  if (existsSync(file)) {
    const text = textOf(file);
    if (typeof text === 'object') return `.env cannot be read (${text.code})`;
    for (const [name, value] of Object.entries(parseEnv(text))) env[name] ??= value;
  }
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (!path || env[name]) continue;
    const text = textOf(path);
    if (typeof text === 'object') return `${name}_FILE: ${path} cannot be read (${text.code})`;
    env[name] = text;
    if (text === '') return `${name}_FILE: ${path} is empty`;
  }
  return null;
}

/** The text of a file without the space around it, or why it cannot be read. */
export function textOf(path: string): string | NodeJS.ErrnoException {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}
