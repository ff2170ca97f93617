// The page of a code as text. What the pages say stands in pages/.
import { type Code, catalogue } from './catalogue.js';
import { FORM } from './pages/form.js';
import { NAMES } from './pages/names.js';
import { NEEDS } from './pages/needs.js';
import type { Page, Pages } from './pages/page-type.js';
import { TEXT } from './pages/text.js';
import { VALUES } from './pages/values.js';
import { WHOLE } from './pages/whole.js';

export const PAGES: Pages<'0'> = { ...TEXT, ...FORM, ...NAMES, ...VALUES, ...WHOLE, ...NEEDS };

/** The message of a code, the reason for the rule, and an example with its fix. */
export function pageText(code: Code): string {
  const { severity, message, hint }: { severity: string; message: string; hint?: string } = catalogue[code];
  const { why, wrong, right }: Page = PAGES[code];
  const advice = hint === undefined ? '' : `${open(hint)}\n`;
  return `${severity} ${code}: ${open(message)}\n${advice}\n${why}\n\nWrong:\n\n${indented(wrong)}\nRight:\n\n${indented(right)}`;
}

/** Placeholders as usage lines show them: `<name>`. */
function open(text: string): string {
  return text.replace(/\{(\w+)\}/g, '<$1>');
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
