// Files of a spec in memory, one object for each path and text, because the generator remembers its results by object
// (memoize.ts): a suite with hundreds of edits parses only the edited files again. The most recently used files are kept.

import type { SourceFile } from '../../generator/load/load.js';

const MOST = 200;

const files = new Map<string, SourceFile>();

export function sourceFile(path: string, text: string): SourceFile {
  const key = `${path}\n${text}`;
  const file = files.get(key) ?? { path, text };
  files.delete(key);
  files.set(key, file);
  const [oldest = ''] = files.keys();
  if (files.size > MOST) files.delete(oldest);
  return file;
}
