// Reads a spec folder in the working tree: its descriptors, its ledger, and the location of its hand-written functions.

import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { FUNCTIONS, functionsIn, hasFunctions, hashOfCode } from '../../runtime/project/compiled.js';
import { descriptorFiles, isSpec, LEDGER, textOf } from '../../runtime/project/spec-files.js';
import type { Code } from '../../runtime/schema/check-needs.js';
import type { SpecSource } from '../check/project.js';
import type { Ledger } from '../ledger/ledger.js';
import { hasConflictMarks, parseLedger } from '../ledger/parse.js';
import { ROOT } from './compile.js';

/**
 * @param folder the spec folder
 * @returns its texts, each under a path that starts with the folder's own name, so that it is the same everywhere
 * @throws UnreadableSpec if the folder does not exist, or an entry in it is not a file
 */
export function readSpec(folder: string): SpecSource {
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

/** The loader reports the place of each U+FFFD (E0109). */
function readText(path: string): string {
  const problem = reasonAgainst(path);
  if (problem !== null) throw new UnreadableSpec(`${path} ${problem}`, 1);
  return textOf(path);
}

/** Why the file cannot be read, as the end of a sentence: a link may lead anywhere, and another user's file may be closed. */
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

/** Null if the file is not being merged, or git is not available. */
function conflictSides(path: string): readonly [string, string] | null {
  const stage = (number: number): string =>
    execFileSync('git', ['-C', dirname(path), 'show', `:${number}:./${basename(path)}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
  try {
    return [stage(2), stage(3)];
  } catch {
    return null;
  }
}

/** The hand-written code that the descriptors of a spec folder must suit. */
function codeOf(spec: string): Code {
  if (isOwnSpec(spec)) return 'own';
  return hasFunctions(spec) ? 'given' : 'shared';
}

/** Absolute paths of the TypeScript files in the folder, sorted; empty unless the spec brings its own functions. */
export function functionFiles(spec: string): readonly string[] {
  if (codeOf(spec) !== 'given') return [];
  return functionsIn(spec).map((file) => resolve(spec, FUNCTIONS, file));
}

/** Import path of the functions from the output folder; null if the spec brings none. */
export function functionsPath({ spec, out }: { readonly spec: string; readonly out: string }): string | null {
  if (codeOf(spec) !== 'given') return null;
  const path = relative(resolve(out), resolve(spec, FUNCTIONS, 'index.js')).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** A hash of everything that is compiled: the outputs, represented by their build identity, and the functions. */
export function hashWithFunctions(identity: string, spec: string): string {
  return hashOfCode(identity, codeOf(spec) === 'given' ? resolve(spec) : null);
}

/** Whether these are Punchboard's own descriptors, for which runtime/resources is written. */
export function isOwnSpec(folder: string): boolean {
  const ownSpec = join(ROOT, 'spec');
  return existsSync(ownSpec) && realpathSync(folder) === realpathSync(ownSpec);
}
