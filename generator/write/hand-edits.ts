// Finds outputs that were edited by hand since gen wrote them, and formats the refusal: where such an edit belongs. Pure.

import { createTwoFilesPatch } from 'diff';
import { type Content, lineEnds } from '../emit/output.js';
import { functionsPlace, outputAt } from '../emit/outputs.js';
import { MANIFEST, type Manifest } from './manifest.js';

/** A file of the output folder: its content on disk, and what gen would write now. */
export interface OutputState {
  /** Below the output folder. */
  readonly path: string;
  /** Null if it does not exist. */
  readonly before: Content | null;
  /** Null if its source has been removed. */
  readonly after: Content | null;
}

/**
 * @param manifest null if there is none; then every file in the way counts as foreign
 * @param merged files listed with both sides of a merge: git wrote their text, with or without conflict marks
 * @returns the files that are neither as gen last wrote them nor as it would write them now
 */
export function handEdits(
  files: readonly OutputState[],
  manifest: Manifest | null,
  merged: ReadonlySet<string>,
): readonly OutputState[] {
  if (manifest === null) return [];
  return files.filter(({ path, before, after }) => {
    if (before === null || before.hash === after?.hash || manifest.get(path)?.has(before.hash)) return false;
    return !merged.has(path) && !hasBothSides(before.text);
  });
}

/** Whether the text has git's conflict marks, as in a file that two branches generated: regenerating resolves them. */
function hasBothSides(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}\r?$/m.test(text) && /^>{7} /m.test(text);
}

/** @returns without a manifest, files on disk whose content differs from the output: gen may not have written them */
export function foreignFiles(files: readonly OutputState[], manifest: Manifest | null): readonly string[] {
  if (manifest !== null) return [];
  return files.flatMap(({ path, before, after }) => (before === null || before.hash === after?.hash ? [] : [path]));
}

/**
 * The refusal for files in the way that gen did not write, with the possible solutions.
 * @param name path of a file as shown to the user
 */
export function foreignFilesRefusal(paths: readonly string[], out: string, name: (path: string) => string): string {
  const [are, them] = paths.length === 1 ? ['1 file is', 'it'] : [`${paths.length} files are`, 'them'];
  const force = paths.map((path) => ` --force ${name(path)}`).join('');
  return (
    `${paths.map((path) => `${name(path)}\n`).join('')}` +
    `${are} in the way and may not have been written by gen; nothing was written.\n` +
    `Choose another folder with --out, move ${them} away, or restore ${name(MANIFEST)} from version control if gen wrote ${out}.\n` +
    `To overwrite ${them}: punchboard gen${force}\n`
  );
}

/** The project where edits belong. */
interface EditedProject {
  /** Name of the spec folder. */
  readonly spec: string;
  /** Whether it is the spec of Punchboard's own service. */
  readonly isOwn: boolean;
}

/**
 * The refusal: the edit of each file, where it belongs, and how to discard it.
 * @param name path of a file as shown to the user
 */
export function handEditsRefusal(
  edits: readonly OutputState[],
  project: EditedProject,
  name: (path: string) => string,
): string {
  const files = edits.map((edit) => {
    const [edited, generated] = [lineEnds(edit.before?.text ?? ''), edit.after?.text ?? ''];
    const heads = ['as generated', 'as edited'] as const;
    const patch = createTwoFilesPatch(name(edit.path), name(edit.path), generated, edited, ...heads);
    return `${patch.replace(/^Index: .*\n=+\n/, '')}${editHint({ path: edit.path, edited, generated }, project)}\n`;
  });
  const count = edits.length === 1 ? '1 generated file was' : `${edits.length} generated files were`;
  const force = edits.map(({ path }) => ` --force ${name(path)}`).join('');
  return `${files.join('\n')}\n${count} edited by hand; nothing was written. To discard the edit: punchboard gen${force}\n`;
}

/** The parts of a resource's file: the line with which each begins, and the source of its content. `*` is the resource's name. */
const PARTS: readonly (readonly [begins: RegExp, place: string])[] = [
  [/^\/\/ Types$/, 'the fields of spec/resources/*.yaml'],
  [/^\/\/ Parameters$/, 'the fields and actions of spec/resources/*.yaml'],
  [
    /^function create\b/,
    'the function beforeCreate of {functions}, once spec/resources/*.yaml declares `lifecycle: [beforeCreate]`',
  ],
  [
    /^function update\b/,
    'the function beforeUpdate of {functions}, once spec/resources/*.yaml declares `lifecycle: [beforeUpdate]`',
  ],
  [/^ {2}(columns|properties): \{/, 'the fields of spec/resources/*.yaml: a value from elsewhere is `kind: computed`'],
  [
    /^\/\/ Definition$/,
    'the keys of spec/resources/*.yaml, such as access and actions; what an action does, in {functions}',
  ],
];

interface Edit {
  readonly path: string;
  readonly edited: string;
  readonly generated: string;
}

const ANYWHERE = 'the descriptors in spec/';

/**
 * @param edit path below the output folder, and the text as edited and as generated
 * @returns a sentence with the key or function where the first edited line belongs
 */
function editHint({ path, edited, generated }: Edit, { spec, isOwn }: EditedProject): string {
  const { row, resource } = outputAt(path) ?? { row: null, resource: '' };
  const part = path.startsWith('resources/') ? partOf(edited, generated) : null;
  const place = part ?? row?.source ?? ANYWHERE;
  const named = place.replaceAll('{functions}', functionsPlace(isOwn));
  return `This belongs in ${named.replaceAll('*', resource).replaceAll('spec/', `${spec}/`)}.`;
}

/** The part that contains the first edited line; null if the line precedes all parts. */
function partOf(edited: string, generated: string): string | null {
  const [lines, others] = [edited.split('\n'), generated.split('\n')];
  const first = lines.findIndex((line, at) => line !== others[at]);
  const before = lines.slice(0, first < 0 ? lines.length : first + 1).reverse();
  for (const line of before) {
    const part = PARTS.find(([begins]) => begins.test(line));
    if (part !== undefined) return part[1];
  }
  return null;
}
