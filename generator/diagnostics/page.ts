// The page of a code as text: its message, what to do about it, and the reason for the rule.
import { type Code, catalogue } from './catalogue.js';
import { REASONS } from './reasons.js';

export function pageText(code: Code): string {
  const { severity, message, hint }: { severity: string; message: string; hint?: string } = catalogue[code];
  const advice = hint === undefined ? '' : `${open(hint)}\n`;
  return `${severity} ${code}: ${open(message)}\n${advice}\n${REASONS[code]}\n`;
}

/** Placeholders as usage lines show them: `<name>`. */
function open(text: string): string {
  return text.replace(/\{(\w+)\}/g, '<$1>');
}
