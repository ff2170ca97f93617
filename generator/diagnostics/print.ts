// Diagnostics as text for a terminal: position, sentence, the line with carets, what to do. The only place that counts lines.
import { collect } from './collect.js';
import type { Diagnostic } from './diagnostic.js';

const WIDEST_LINE = 160;

/**
 * All diagnostics in the order of files and lines, and a count as the last line; '' when there are none.
 * @param texts the text of each file by path; a file that is not there is printed without its line.
 */
export function print(diagnostics: readonly Diagnostic[], texts: ReadonlyMap<string, string>): string {
  if (diagnostics.length === 0) return '';
  const blocks = collect(diagnostics).map((one) => block(one, texts.get(one.path) ?? null));
  return `${blocks.join('\n\n')}\n\n${total(diagnostics)}\n`;
}

/** Line and column (both from 1, columns in characters) of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

function block(one: Diagnostic, text: string | null): string {
  const { line, column } = text === null ? { line: 1, column: 1 } : position(text, one.start);
  const head = `${one.path}:${line}:${column}: ${one.severity} ${one.code}: ${one.message}`;
  const gutter = ' '.repeat(String(line).length);
  const lines = text === null ? [head] : [head, ...frame(one, text, line)];
  if (one.suggestion !== null) lines.push(`${gutter} = did you mean "${one.suggestion}"?`);
  else if (one.hint !== null) lines.push(`${gutter} = ${one.hint}`);
  return lines.join('\n');
}

function frame(one: Diagnostic, text: string, line: number): string[] {
  const from = lineStart(text, one.start);
  const rest = text.slice(from);
  const source = rest.slice(0, rest.search(/[\r\n]|$/));
  const start = Math.min(one.start - from, source.length);
  const end = Math.max(start, Math.min(one.end - from, source.length));
  // A line too long to read is cut before the caret, so that the caret stays in sight.
  const cut = start > WIDEST_LINE / 2 && source.length > WIDEST_LINE ? start - WIDEST_LINE / 2 : 0;
  const shown = plain(source.slice(cut, cut + WIDEST_LINE));
  const pad = plain(source.slice(cut, start)).replace(/[^\t]/gu, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min([...source.slice(start, end)].length, WIDEST_LINE)));
  const number = String(line);
  return [`${number} | ${shown}`.trimEnd(), `${' '.repeat(number.length)} | ${pad}${carets}`];
}

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}

/** Control characters of a damaged file do not reach the terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}

function total(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((one) => one.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const files = new Set(diagnostics.map((one) => one.path)).size;
  const counts = [count(errors, 'error'), count(warnings, 'warning')].filter((part) => part !== null);
  return `${counts.join(', ')} in ${files === 1 ? '1 file' : `${files} files`}`;
}

function count(number: number, word: string): string | null {
  return number === 0 ? null : `${number} ${word}${number === 1 ? '' : 's'}`;
}
