// Renders pages from the Handlebars templates of a folder. Handlebars escapes every value; no template says otherwise.
// The helper `markdown` makes HTML of a description, with the markup in it escaped.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Handlebars from 'handlebars';
import { memoize } from '../contract/memoize.js';
import type { markdownToHtml } from './markdown.js';

/** @param name of a template, without ending */
export type Render = (name: string, values: object) => string;

/**
 * Every template of the folders can include every other one. Handlebars and the templates are loaded by the first page.
 * @param folders of compiled code, such as `__dirname`; their templates are in `templates`
 */
export function createTemplates(...folders: readonly string[]): Render {
  const load = memoize((_: 'all') => compileAll(folders));
  return (name, values) => {
    const template = load('all').get(name);
    if (template === undefined) throw new Error(`There is no template ${name}.`);
    return template(values);
  };
}

type Template = (values: object) => string;

function compileAll(folders: readonly string[]): ReadonlyMap<string, Template> {
  const handlebars = (require('handlebars') as typeof Handlebars).create();
  handlebars.registerHelper('markdown', (text: string) => {
    const markdown = require('./markdown.js') as { readonly markdownToHtml: typeof markdownToHtml };
    return new handlebars.SafeString(markdown.markdownToHtml(text));
  });
  handlebars.registerHelper('is', (one: unknown, other: unknown) => one === other);
  const texts = folders.flatMap((folder) => readTemplates(join(folder, 'templates')));
  for (const [name, text] of texts) handlebars.registerPartial(name, text);
  return new Map(texts.map(([name, text]) => [name, handlebars.compile(text, { strict: true })]));
}

function readTemplates(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.hbs'))
    .map((file) => [file.slice(0, -'.hbs'.length), readFileSync(join(folder, file), 'utf8')]);
}
