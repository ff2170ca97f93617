// Part of the build: compiles the templates of pages, and copies the files that browsers load, our own and those of libraries,
// to where the compiled program reads them. Libraries are pinned in package.json and never committed.

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, resolve } from 'node:path';
import Handlebars from 'handlebars';

const ROOT = resolve(__dirname, '..', '..', '..');
const COMPILED = join(ROOT, 'dist', 'runtime', 'pages');

/** Files of installed packages, by the name under which each is served, or required by the pages' server. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'handlebars.js': 'handlebars/dist/handlebars.runtime.min.js',
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
    const isPlain = (path: string): boolean =>
      statSync(path).isDirectory() || !/\.(ts|md|png|hbs)$/.test(extname(path));
    const target = join(ROOT, 'dist', 'runtime', folder);
    if (!existsSync(source)) continue;
    rmSync(join(target, 'templates'), { recursive: true, force: true });
    cpSync(source, target, { recursive: true, filter: isPlain });
    compileTemplates(join(source, 'templates'), join(target, 'templates'));
  }
  for (const folder of [files, licenses]) mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(LIBRARIES)) {
    const source = join(ROOT, 'node_modules', path);
    if (!existsSync(source)) throw new Error(`${path} is not installed: run npm ci`);
    copyFileSync(source, join(files, name));
    copyFileSync(licenseOf(name, path), join(licenses, `${name}.txt`));
  }
}

/** Compiles every template of a folder to a module of the same name. */
export function compileTemplates(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter((name) => name.endsWith('.hbs'))) {
    const code = Handlebars.precompile(readFileSync(join(from, file), 'utf8'), { strict: true });
    writeFileSync(join(to, file.replace(/hbs$/, 'js')), `module.exports = ${code};\n`);
  }
}

/** The license of a library, which has to be passed on with its files (N46). */
function licenseOf(name: string, path: string): string {
  const [, owner = ''] = /^((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  const source = join(ROOT, 'node_modules', owner, 'LICENSE');
  if (!existsSync(source)) throw new Error(`${owner} has no licence text, so that its ${name} cannot be shipped`);
  return source;
}

if (require.main === module) copyFiles();
