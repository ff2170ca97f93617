// The project's spec with as few types as possible: half as much to check and to render in tests that only need an edit.

import type { SourceFile } from '../../generator/load/load.js';

/** The files of the spec, without types that only belong to a game and that no other file names, except for those in `kept`. */
export function fewerTypes(files: readonly SourceFile[], kept: readonly string[]): readonly SourceFile[] {
  return files.filter((file) => {
    const [, name] = /^spec\/resources\/(\w+)\.yaml$/.exec(file.path) ?? [];
    if (name === undefined || kept.includes(name) || !/^extends: .*\bcomponent\b/m.test(file.text)) return true;
    // Their lists are named by the plural.
    const named = new RegExp(`\\b${name}(e?s)?\\b`);
    return files.some((other) => other !== file && named.test(other.text));
  });
}
