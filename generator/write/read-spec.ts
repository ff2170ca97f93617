// Reads a spec folder as it is in the working tree.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { descriptorFiles, isSpec, LEDGER, textOf } from '../../runtime/project/spec-files.js';
import type { Source } from '../compile-spec.js';
import type { Ledger } from '../ledger/ledger.js';
import { parseLedger } from '../ledger/parse.js';
import { hasConflictMarks } from '../ledger/sides.js';
import { conflictSides } from './conflict-sides.js';
import { codeOf } from './functions.js';

/**
 * @param folder the spec folder
 * @returns its texts, each under a path that starts with the folder's own name, so that it is the same from anywhere
 * @throws UnreadableSpec if the folder does not exist, or an entry in it is not a file
 */
export function readSpec(folder: string): Source {
  const name = basename(resolve(folder));
  if (!isSpec(folder)) throw new UnreadableSpec(`${folder} has no resources/ folder; name the spec folder with --spec`);
  const ledger = join(folder, LEDGER);
  return {
    files: descriptorFiles(folder).map((path) => ({ path: `${name}/${path}`, text: readText(join(folder, path)) })),
    ledger: existsSync(ledger) ? readLedger(ledger) : null,
    code: codeOf(folder),
  };
}

/** A problem with the spec folder itself, found before any of its text is parsed. */
export class UnreadableSpec extends Error {
  /** @param code exit code: 2 if the wrong folder was named, 1 if a file in it cannot be read */
  constructor(
    message: string,
    readonly code: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** The loader reports each U+FFFD where it is (E0109). */
function readText(path: string): string {
  const problem = reasonAgainst(path);
  if (problem !== null) throw new UnreadableSpec(`${path} ${problem}`, 1);
  return textOf(path);
}

/** Why there is nothing to read, as the end of a sentence: a link may lead anywhere, and another user's file may be closed. */
function reasonAgainst(path: string): string | null {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return 'is a folder, not a file';
    if (!stats.isFile()) return 'is not a file';
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'links to a file that does not exist';
    return `cannot be read (${code})`;
  }
}

function readLedger(path: string): Ledger {
  const text = readText(path);
  const ledger = parseLedger(text, hasConflictMarks(text) ? conflictSides(path) : null);
  if (typeof ledger === 'string') throw new UnreadableSpec(`${path} ${ledger}`, 1);
  return ledger;
}
