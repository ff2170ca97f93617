// A diagnostic as a machine reads it: lines and columns instead of offsets, the path as the caller's folder has it.
import { collect } from '../collect.js';
import type { Diagnostic } from '../diagnostic.js';
import { position } from '../print.js';

/** Lines and columns count from 1, columns in characters; the end is not part of it. */
export interface Finding extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint' | 'suggestion' | 'path'> {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** What a report is made of. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** The text of each file by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The path of a file as whoever reads the report knows it. */
  pathOf(path: string): string;
}

/** In the order of files and lines, each once. */
export function findings({ diagnostics, texts, pathOf }: Findings): readonly Finding[] {
  return collect(diagnostics).map(({ code, severity, message, hint, suggestion, path, start, end }) => {
    const text = texts.get(path) ?? '';
    const [from, to] = [position(text, start), position(text, end)];
    const span = { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    return { code, severity, message, hint, suggestion, path: pathOf(path), ...span };
  });
}

/** The sentence and what to do about it, in one line. */
export function advice({ suggestion, hint }: Pick<Finding, 'hint' | 'suggestion'>): string {
  return suggestion === null ? (hint ?? '') : `did you mean "${suggestion}"?`;
}
