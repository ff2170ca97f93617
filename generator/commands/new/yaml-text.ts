// A YAML document as text in the style of the descriptors: `{ kind: text }`, `[a, b]`, no line folded.

import { type Document, parse } from 'yaml';

export function yamlText(document: Document): string {
  const text = document.toString({ lineWidth: 0 });
  const close = text
    .replace(/\[ (.*) \]/g, '[$1]')
    .replace(/\[ /g, '[')
    .replace(/ \]/g, ']');
  // Brackets may stand inside a text, which must stay as it is.
  return JSON.stringify(parse(close)) === JSON.stringify(parse(text)) ? close : text;
}
