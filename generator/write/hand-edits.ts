// Which outputs a hand has edited since gen wrote them, and what is said about it. Reads and writes nothing.

import { createTwoFilesPatch } from 'diff';
import { type Content, lineEnds } from '../emit/output.js';
import { editHint } from './edit-hint.js';
import { MANIFEST, type Manifest } from './manifest.js';

/** A file of the output folder on disk, beside what gen would write now. */
export interface Standing {
  /** Below the output folder. */
  readonly path: string;
  /** Null: not there. */
  readonly before: Content | null;
  /** Null: it has no source any more. */
  readonly after: Content | null;
}

/**
 * @param manifest null: there is none, and every file in the way is a stranger
 * @returns those that are neither what gen last wrote nor what it would write now
 */
export function handEdits(files: readonly Standing[], manifest: Manifest | null): readonly Standing[] {
  if (manifest === null) return [];
  return files.filter(({ path, before, after }) => {
    if (before === null || before.hash === after?.hash || manifest.get(path)?.has(before.hash)) return false;
    return !isMergeInProgress(before.text);
  });
}

/** What git leaves in a file that two branches generated: no hand wrote that, and generating anew is the way out. */
function isMergeInProgress(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}\r?$/m.test(text) && /^>{7} /m.test(text);
}

/** @returns without a manifest, outputs that are on disk with another content: nothing says that gen wrote them */
export function strangers(files: readonly Standing[], manifest: Manifest | null): readonly string[] {
  if (manifest !== null) return [];
  return files.flatMap(({ path, before, after }) => (before === null || before.hash === after?.hash ? [] : [path]));
}

/**
 * Files in the way of outputs that gen did not write, and the ways out.
 * @param name path of a file as it is told to the user
 */
export function strangersRefusal(paths: readonly string[], out: string, name: (path: string) => string): string {
  const [are, them] = paths.length === 1 ? ['1 file is', 'it'] : [`${paths.length} files are`, 'them'];
  const force = paths.map((path) => ` --force ${name(path)}`).join('');
  return (
    `${paths.map((path) => `${name(path)}\n`).join('')}` +
    `${are} in the way, and nothing says that gen wrote ${them}; nothing is written.\n` +
    `Give another folder with --out, move ${them} away, or bring ${name(MANIFEST)} back from version control if ${out} is gen's.\n` +
    `To overwrite ${them}: punchboard gen${force}\n`
  );
}

/**
 * The edit of each file, where it belongs and how to overwrite it.
 * @param spec name of the spec folder
 * @param name path of a file as it is told to the user
 */
export function refusal(edits: readonly Standing[], spec: string, name: (path: string) => string): string {
  const files = edits.map((edit) => {
    const [edited, made] = [lineEnds(edit.before?.text ?? ''), edit.after?.text ?? ''];
    const heads = ['as gen makes it', 'as it stands'] as const;
    const patch = createTwoFilesPatch(name(edit.path), name(edit.path), made, edited, ...heads);
    return `${patch.replace(/^Index: .*\n=+\n/, '')}${editHint({ path: edit.path, edited, made }, spec)}\n`;
  });
  const count = edits.length === 1 ? '1 generated file was' : `${edits.length} generated files were`;
  const force = edits.map(({ path }) => ` --force ${name(path)}`).join('');
  return `${files.join('\n')}\n${count} edited by hand; nothing is written. To drop the edit: punchboard gen${force}\n`;
}
