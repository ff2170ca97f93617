// The templates of generated code, compiled once.

import Handlebars from 'handlebars';
import { readTemplate } from '../write/read-template.js';

export function template(name: string): (view: object) => string {
  const text = readTemplate(name);
  // No template uses `@index` and its like, for which each step of a loop would copy all of them.
  return Handlebars.compile<object>(text, { noEscape: true, strict: true, knownHelpersOnly: true, data: false });
}
