// Diagnostics as text for a terminal: position, message, the line with carets, and the hint; and the paths that people see.

import { collect, type Diagnostic, type YamlPosition } from './diagnostic.js';

const WIDEST_LINE = 160;

/** The style of parts of the text; each function returns its text with or without colour. */
type TerminalStyle = Readonly<Record<'error' | 'warning' | 'strong' | 'faint', (text: string) => string>>;

const same = (text: string): string => text;
const PLAIN: TerminalStyle = { error: same, warning: same, strong: same, faint: same };
const sgr = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;
const COLOURED: TerminalStyle = { error: sgr(31, 39), warning: sgr(33, 39), strong: sgr(1, 22), faint: sgr(36, 39) };

/**
 * All diagnostics, sorted by file and line, and a count as the last line; empty if there are none.
 * @param texts the text of each file by path; without it, a diagnostic is printed without its line
 * @param colour whether to use the colours of a terminal
 */
export function print(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  colour: boolean = false,
): string {
  if (diagnostics.length === 0) return '';
  const look = colour ? COLOURED : PLAIN;
  const blocks = collect(diagnostics).map((one) => block(one, texts.get(one.path) ?? null, look));
  return `${blocks.join('\n\n')}\n\n${total(diagnostics)}\n`;
}

/** The line of a file, and a line of carets below the given place. */
export function excerpt(place: YamlPosition, text: string): string {
  return frame(place, text, position(text, place.start).line, PLAIN).join('\n');
}

/** Line and column (both from 1, columns in characters) of an offset. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

function block(diagnostic: Diagnostic, text: string | null, look: TerminalStyle): string {
  const { line, column } = text === null ? { line: 1, column: 1 } : position(text, diagnostic.start);
  const paint = look[diagnostic.severity];
  const spot = look.strong(`${diagnostic.path}:${line}:${column}:`);
  const head = `${spot} ${paint(`${diagnostic.severity} ${diagnostic.code}:`)} ${diagnostic.message}`;
  const gutter = ' '.repeat(String(line).length);
  const lines = text === null ? [head] : [head, ...frame(diagnostic, text, line, look)];
  if (diagnostic.suggestion !== null) lines.push(look.faint(`${gutter} = did you mean "${diagnostic.suggestion}"?`));
  else if (diagnostic.hint !== null) lines.push(look.faint(`${gutter} = ${diagnostic.hint}`));
  return lines.join('\n');
}

function frame(
  one: YamlPosition & { readonly severity?: Diagnostic['severity'] },
  text: string,
  line: number,
  look: TerminalStyle,
) {
  const from = lineStart(text, one.start);
  const rest = text.slice(from);
  const source = rest.slice(0, rest.search(/[\r\n]|$/));
  const start = Math.min(one.start - from, source.length);
  const end = Math.max(start, Math.min(one.end - from, source.length));
  // A very long line is cut before the caret, so that the caret stays visible.
  const cut = start > WIDEST_LINE / 2 && source.length > WIDEST_LINE ? start - WIDEST_LINE / 2 : 0;
  const shown = plain(source.slice(cut, cut + WIDEST_LINE));
  const pad = plain(source.slice(cut, start)).replace(/[^\t]/gu, ' ');
  const carets = '^'.repeat(Math.max(1, Math.min([...source.slice(start, end)].length, WIDEST_LINE)));
  const number = String(line);
  return [
    `${number} | ${shown}`.trimEnd(),
    `${' '.repeat(number.length)} | ${pad}${look[one.severity ?? 'error'](carets)}`,
  ];
}

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
}

/** Keeps the control characters of a damaged file away from the terminal. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what it searches for
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

/** `spec/resources/x.yaml` to `project/spec/resources/x.yaml` if the folder is `project/spec`. */
export function shownPath(folder: string): (path: string) => string {
  const base = folder.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
  return (path) => (base === '.' ? path.replace(/^[^/]*\//, '') : `${base}/${path.replace(/^[^/]*\//, '')}`);
}
