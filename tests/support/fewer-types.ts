// The project's spec with as few types as possible, so that tests that only need an edit have less to check and render.

import type { SourceFile } from '../../generator/load/load.js';

/** The files of the spec, without types that only belong to a game and that no other file names, except for those in `kept`. */
export function fewerTypes(files: readonly SourceFile[], kept: readonly string[]): readonly SourceFile[] {
  return files.filter((file) => {
    const name = typeOf(file);
    if (name === null || kept.includes(name) || !/^extends: .*\bcomponent\b/m.test(file.text)) return true;
    return files.some((other) => other !== file && namesType(other, name));
  });
}

/** The shared files of the spec, the types in `kept`, and every type that one of these files names, directly or indirectly. */
export function neededTypes(files: readonly SourceFile[], kept: readonly string[]): readonly SourceFile[] {
  const needed = new Set(files.filter((file) => kept.includes(typeOf(file) ?? '') || typeOf(file) === null));
  // A set that grows while it is iterated over yields what was added, too.
  for (const file of needed) {
    for (const other of files) if (namesType(file, typeOf(other) ?? '')) needed.add(other);
  }
  return files.filter((file) => needed.has(file));
}

function typeOf({ path }: SourceFile): string | null {
  return /^spec\/resources\/(\w+)\.yaml$/.exec(path)?.[1] ?? null;
}

/** Lists of a type are named by its plural. */
function namesType({ text }: SourceFile, name: string): boolean {
  return name !== '' && new RegExp(`\\b${name}(e?s)?\\b`).test(text);
}
