// Renders pages from the Handlebars templates of a folder, which the build compiles (`copy-files.ts`). Handlebars escapes every
// value; no template overrides that. The helper `markdown` renders a description as HTML, with the markup in it escaped.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type Handlebars from 'handlebars';
import { memoize } from '../contract/memoize.js';
import type { markdownToHtml } from './markdown.js';

/** @param name of a template, without ending */
export type Render = (name: string, values: object) => string;

/**
 * Every template of the folders can include every other one. The first page loads them and the code that runs them.
 * @param folders of compiled code, such as `__dirname`; their templates are in `templates`
 */
export function createTemplates(...folders: readonly string[]): Render {
  const load = memoize((_: 'all') => loadAll(folders));
  return (name, values) => {
    const template = load('all').get(name);
    if (template === undefined) throw new Error(`There is no template ${name}.`);
    return template(values);
  };
}

type Template = (values: object) => string;

function loadAll(folders: readonly string[]): ReadonlyMap<string, Template> {
  const handlebars = (require('./files/handlebars.js') as typeof Handlebars).create();
  handlebars.registerHelper('markdown', (text: string) => {
    const markdown = require('./markdown.js') as { readonly markdownToHtml: typeof markdownToHtml };
    return new handlebars.SafeString(markdown.markdownToHtml(text));
  });
  handlebars.registerHelper('is', (one: unknown, other: unknown) => one === other);
  const compiled = folders.flatMap(loadCompiled);
  const templates = new Map(compiled.map(([name, code]) => [name, handlebars.template(code)]));
  for (const [name, template] of templates) handlebars.registerPartial(name, template);
  return templates;
}

/** @returns the compiled templates of a folder, each with its name */
export function loadCompiled(folder: string): readonly (readonly [string, TemplateSpecification])[] {
  const templates = join(folder, 'templates');
  return readdirSync(templates)
    .filter((file) => file.endsWith('.js'))
    .map((file) => [file.slice(0, -'.js'.length), require(join(templates, file))]);
}
