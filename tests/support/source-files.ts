// Files of a spec in memory, one object for each path and text, for which the generator remembers results (memoize.ts): a suite
// of hundreds of edits reads only edited files again. Keeps the files that were used last.

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
