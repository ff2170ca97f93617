// Reads a spec folder as of a commit, with the git command. Leaves the working tree alone.

import { execFileSync } from 'node:child_process';
import type { SpecSource } from '../check/project.js';
import { parseLedger } from '../ledger/parse.js';
import type { SourceFile } from '../load/load.js';
import { UnreadableSpec } from './read-spec.js';

const SPEC_FILES =
  /^(?:conventions\.yaml|events\.yaml|ledger\.json|versions\/[^/\n]+\.json|resources\/[^/\n]+\.ya?ml)$/;

/**
 * @param ref anything that names a commit: a branch, a tag, `HEAD~3`
 * @param folder the spec folder in the working tree
 * @param name first segment of the returned paths, as in the working tree
 * @throws UnreadableSpec with one line about git, the ref, or the spec at it
 */
export function readSpecAt(ref: string, folder: string, name: string): SpecSource {
  const commit = commitOf(ref, folder);
  const prefix = git(folder, ['rev-parse', '--show-prefix']).trimEnd();
  const listing = git(folder, ['ls-tree', '-r', '-z', '--name-only', commit, '--', '.']);
  const paths = listing.split('\0').filter((path) => SPEC_FILES.test(path));
  if (!paths.some((path) => path.startsWith('resources/')))
    throw unreadable(`${ref} holds no ${prefix}resources/: there is nothing to compare with`);
  const texts = blobs(
    folder,
    paths.map((path) => ({ path, object: `${commit}:${prefix}${path}` })),
  );
  const ledger = texts.find(({ path }) => path === 'ledger.json');
  return {
    files: texts.filter((file) => file !== ledger).map(({ path, text }) => ({ path: `${name}/${path}`, text })),
    ledger: ledger === undefined ? null : ledgerOf(ledger.text, ref),
  };
}

function commitOf(ref: string, folder: string): string {
  try {
    git(folder, ['rev-parse', '--git-dir']);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unreadable('git is not installed');
    throw unreadable(
      `${folder} is not in a git repository, so that there is no commit to read: run git init, and commit it`,
    );
  }
  try {
    // A ref never begins with a dash, as an option would.
    if (ref.startsWith('-')) throw new Error(ref);
    return git(folder, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]).trimEnd();
  } catch {
    throw unreadable(ref === 'HEAD' ? 'nothing has been committed yet: commit first' : `git knows no commit ${ref}`);
  }
}

function ledgerOf(text: string, ref: string): NonNullable<SpecSource['ledger']> {
  const ledger = parseLedger(text);
  if (typeof ledger === 'string') throw unreadable(`ledger.json at ${ref} ${ledger}`);
  return ledger;
}

/** Reads all texts with one process: one process per file would take seconds for a thousand files. */
function blobs(folder: string, wanted: readonly { path: string; object: string }[]): readonly SourceFile[] {
  const input = wanted.map(({ object }) => `${object}\n`).join('');
  const answer = run(folder, ['cat-file', '--batch'], input);
  let at = 0;
  return wanted.map(({ path, object }) => {
    const lineEnd = answer.indexOf(10, at);
    const size = / blob (\d+)$/.exec(answer.toString('utf8', at, lineEnd))?.[1];
    if (size === undefined) throw unreadable(`git cannot read ${object}`);
    const start = lineEnd + 1;
    at = start + Number(size) + 1;
    return { path, text: answer.toString('utf8', start, start + Number(size)) };
  });
}

function unreadable(message: string): UnreadableSpec {
  return new UnreadableSpec(message, 1);
}

function git(folder: string, options: readonly string[]): string {
  return run(folder, options, '').toString('utf8');
}

function run(folder: string, options: readonly string[], input: string): Buffer {
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  return execFileSync('git', ['-C', folder, ...options], { input, stdio, maxBuffer: 2 ** 28 });
}
