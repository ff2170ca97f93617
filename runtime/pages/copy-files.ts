// Part of the build: copies what browsers load, our own files and those of libraries, to where the compiled program reads
// them. Libraries are pinned in package.json and never committed.

import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..', '..');
const COMPILED = join(ROOT, 'dist', 'runtime', 'pages');

/** By the name under which it is served, or required by the pages' server, a file of an installed package. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'htmx.js': 'htmx.org/dist/htmx.min.js',
  'marked.js': 'marked/lib/marked.umd.js',
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
};

function copyFiles(): void {
  const [files, licenses] = ['files', 'licenses'].map((name) => join(COMPILED, name)) as [string, string];
  // Files that only an earlier build copied must not be shipped.
  for (const folder of [files, licenses]) rmSync(folder, { recursive: true, force: true });
  for (const folder of ['pages', 'admin/console']) {
    const source = join(ROOT, 'runtime', folder);
    const isPlain = (path: string): boolean => statSync(path).isDirectory() || !/\.(ts|md|png)$/.test(extname(path));
    if (existsSync(source)) cpSync(source, join(ROOT, 'dist', 'runtime', folder), { recursive: true, filter: isPlain });
  }
  for (const folder of [files, licenses]) mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(LIBRARIES)) {
    const source = join(ROOT, 'node_modules', path);
    if (!existsSync(source)) throw new Error(`${path} is not installed: run npm ci`);
    copyFileSync(source, join(files, name));
    copyFileSync(licenseOf(name, path), join(licenses, `${name}.txt`));
  }
}

/** The text that allows the file to be passed on, which has to go with it (N46). */
function licenseOf(name: string, path: string): string {
  const [, owner = ''] = /^((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  const source = join(ROOT, 'node_modules', owner, 'LICENSE');
  if (!existsSync(source)) throw new Error(`${owner} has no licence text, so that its ${name} cannot be shipped`);
  return source;
}

copyFiles();
