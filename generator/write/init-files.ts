// The files that a new repository starts with, kept in generator/init/files. Their names there keep npm and the compiler from
// treating them as their own: a leading `_` replaces a dot, and a final `.tpl` is dropped.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './compile.js';
import { writeNew } from './write.js';

const FILES = join(ROOT, 'generator', 'init', 'files');

/** The values of `{{name}}` in the files. */
export type Placeholders = Readonly<Record<string, string>>;

/**
 * Writes only the files that do not exist yet.
 * @param folder created if it is missing
 * @param leftOut files that are not written
 * @returns paths in the folder, sorted
 */
export function writeInitFiles(
  folder: string,
  leftOut: readonly string[],
  placeholders: Placeholders,
): { readonly created: readonly string[]; readonly left: readonly string[] } {
  const created: string[] = [];
  const existing: string[] = [];
  for (const source of sources().filter((one) => !leftOut.includes(one))) {
    const path = source
      .split('/')
      .map((name) => name.replace(/^_/, '.').replace(/\.tpl$/, ''))
      .join('/');
    const place = join(folder, path);
    if (existsSync(place)) existing.push(path);
    else {
      mkdirSync(dirname(place), { recursive: true });
      writeNew(place, withPlaceholders(readFileSync(join(FILES, source), 'utf8'), placeholders));
      created.push(path);
    }
  }
  return { created: created.sort(), left: existing.sort() };
}

/** Paths with `/`, in no particular order. */
function sources(): readonly string[] {
  return readdirSync(FILES, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(FILES, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'));
}

/** Whether there is something at the path that is not a folder. */
export function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory();
}

function withPlaceholders(text: string, placeholders: Placeholders): string {
  return text.replace(/\{\{(\w+)\}\}/g, (written, name: string) => placeholders[name] ?? written);
}
