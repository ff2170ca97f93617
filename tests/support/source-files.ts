// Files of a spec in memory, one object for each path and text: what the generator has made of a file it keeps with that object
// (generator/remembered.ts), so a suite of hundreds of edits reads again only what an edit changes. Those used last are kept.

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
