// The templates of generated code, compiled once.

import Handlebars from 'handlebars';
import { readTemplate } from '../write/read-template.js';

export function template(name: string): (view: object) => string {
  const text = readTemplate(name);
  return Handlebars.compile<object>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
}
