// A diagnostic for programs: lines and columns instead of offsets, the path relative to the caller's folder.
import { collect } from '../collect.js';
import type { Diagnostic } from '../diagnostic.js';
import { position } from '../print.js';

/** Lines and columns count from 1, columns in characters; the end is exclusive. */
export interface Finding extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint' | 'suggestion' | 'path'> {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The contents of a report. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** The text of each file by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The path of a file as the report shows it. */
  pathOf(path: string): string;
}

/** Sorted by file and line, without duplicates. */
export function findings({ diagnostics, texts, pathOf }: Findings): readonly Finding[] {
  return collect(diagnostics).map(({ code, severity, message, hint, suggestion, path, start, end }) => {
    const text = texts.get(path) ?? '';
    const [from, to] = [position(text, start), position(text, end)];
    const span = { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    return { code, severity, message, hint, suggestion, path: pathOf(path), ...span };
  });
}

/** What to do about a finding; '' if nothing is suggested. */
export function advice({ suggestion, hint }: Pick<Finding, 'hint' | 'suggestion'>): string {
  return suggestion === null ? (hint ?? '') : `did you mean "${suggestion}"?`;
}
