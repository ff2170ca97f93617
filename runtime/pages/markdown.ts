// Descriptions as HTML. Markup in them is shown as text: descriptors are written in Markdown alone.

import { memoize } from '../contract/memoize.js';

interface Marked {
  parse(text: string, options: object): string;
}
const { Marked } = require('./files/marked.js') as { readonly Marked: new (options: object) => Marked };

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const marked = new Marked({
  async: false,
  renderer: { html: ({ text }: { readonly text: string }) => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one) },
});

/** The descriptions of a project are a finite set, and many of them occur on a page more than once. */
export const markdownToHtml = memoize((text: string) => marked.parse(text, {}));
