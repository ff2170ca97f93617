// Prints a YAML document in the style of the descriptors: `{ kind: text }`, `[a, b]`, no folded lines.

import { type Document, parse } from 'yaml';

export function yamlText(document: Document): string {
  const text = document.toString({ lineWidth: 0 });
  const compact = text
    .replace(/\[ (.*) \]/g, '[$1]')
    .replace(/\[ /g, '[')
    .replace(/ \]/g, ']');
  // Brackets inside a text must stay as they are.
  return JSON.stringify(parse(compact)) === JSON.stringify(parse(text)) ? compact : text;
}
