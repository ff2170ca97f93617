// Reads a spec folder as it is in the working tree.

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Source } from '../compile-spec.js';
import type { Ledger } from '../ledger/ledger.js';
import { parseLedger } from '../ledger/parse.js';
import { ROOT } from './compile.js';

/**
 * @param folder the spec folder
 * @returns its texts, each under a path that starts with the folder's own name, so that it is the same from anywhere
 * @throws UnreadableSpec when the folder is not there or a file is no UTF-8 text
 */
export function readSpec(folder: string): Source {
  const name = basename(resolve(folder));
  const resources = join(folder, 'resources');
  if (!existsSync(resources))
    throw new UnreadableSpec(`${folder} holds no resources/ folder; give the spec folder with --spec`);
  const paths = [
    ...['conventions.yaml', 'events.yaml'].filter((file) => existsSync(join(folder, file))),
    ...readdirSync(resources)
      .filter((file) => /\.ya?ml$/.test(file))
      .sort()
      .map((file) => `resources/${file}`),
  ];
  const ledger = join(folder, 'ledger.json');
  return {
    files: paths.map((path) => ({ path: `${name}/${path}`, text: readText(join(folder, path)) })),
    ledger: existsSync(ledger) ? readLedger(ledger) : null,
    code: isOwnSpec(folder) ? 'own' : 'shared',
  };
}

/** True for the project's own descriptors, for which runtime/resources is written. */
function isOwnSpec(folder: string): boolean {
  const own = join(ROOT, 'spec');
  return existsSync(own) && realpathSync(folder) === realpathSync(own);
}

/** Something about the spec folder itself, before any text of it is looked at. */
export class UnreadableSpec extends Error {
  /** @param code exit code: 2 where the wrong place was named, 1 where a file in it cannot be read */
  constructor(
    message: string,
    readonly code: 1 | 2 = 2,
  ) {
    super(message);
  }
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    throw new UnreadableSpec(`${path} is not UTF-8 text`, 1);
  }
}

function readLedger(path: string): Ledger {
  const ledger = parseLedger(readText(path));
  if (typeof ledger === 'string') throw new UnreadableSpec(`${path} ${ledger}`, 1);
  return ledger;
}

/** Null where there is no such file. */
export function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
