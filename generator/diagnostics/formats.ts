// The formats of a report, one row each: for programs as JSON, GitHub's workflow commands, and SARIF 2.1.0.

import { type Code, catalogue } from './catalogue.js';
import { collect, type Diagnostic } from './diagnostic.js';
import { position, print } from './print.js';
import { pageText } from './reasons.js';

const FORMATS = {
  json: (reported: readonly PrintedDiagnostic[]) => `${JSON.stringify(reported, null, 2)}\n`,
  github,
  sarif,
} as const;

export type DiagnosticFormat = 'text' | keyof typeof FORMATS;

/** Diagnostics in the requested format; colour only applies to text. */
export function report(format: DiagnosticFormat, reported: DiagnosticReport, colour: boolean): string {
  return format === 'text'
    ? print(reported.diagnostics, reported.texts, colour)
    : FORMATS[format](printedDiagnostics(reported));
}

/** Lines and columns count from 1, columns in characters; the end is exclusive. */
export interface PrintedDiagnostic
  extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint' | 'suggestion' | 'path'> {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** The contents of a report. */
export interface DiagnosticReport {
  readonly diagnostics: readonly Diagnostic[];
  /** The text of each file by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The path of a file as the report shows it. */
  pathOf(path: string): string;
}

/** Sorted by file and line, without duplicates. */
export function printedDiagnostics({ diagnostics, texts, pathOf }: DiagnosticReport): readonly PrintedDiagnostic[] {
  return collect(diagnostics).map(({ code, severity, message, hint, suggestion, path, start, end }) => {
    const text = texts.get(path) ?? '';
    const [from, to] = [position(text, start), position(text, end)];
    const span = { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    return { code, severity, message, hint, suggestion, path: pathOf(path), ...span };
  });
}

/** What to do about a finding; empty if nothing is suggested. */
export function advice({ suggestion, hint }: Pick<PrintedDiagnostic, 'hint' | 'suggestion'>): string {
  return suggestion === null ? (hint ?? '') : `did you mean "${suggestion}"?`;
}

/** One line per finding; empty if there are none. */
export function github(reported: readonly PrintedDiagnostic[]): string {
  return reported.map(command).join('');
}

function command(one: PrintedDiagnostic): string {
  const oneLine = one.endLine === one.line;
  const place = {
    file: one.path,
    line: one.line,
    endLine: one.endLine,
    // Columns are only meaningful within one line.
    ...(oneLine ? { col: one.column, endColumn: one.endColumn } : {}),
    title: one.code,
  };
  const properties = Object.entries(place).map(([key, value]) => `${key}=${inProperty(String(value))}`);
  const text = [one.message, advice(one)].filter((part) => part !== '').join('\n');
  return `::${one.severity} ${properties.join(',')}::${inMessage(text)}\n`;
}

function inMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function inProperty(text: string): string {
  return inMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A log of one run; without findings its list of results is empty. */
export function sarif(reported: readonly PrintedDiagnostic[]): string {
  const codes = [...new Set(reported.map(({ code }) => code))].sort();
  const driver = { name: 'punchboard', rules: codes.map(rule) };
  // Columns count characters, as everywhere in these reports.
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results: reported.map((one) => result(one, codes)) };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function rule(code: Code) {
  const { severity, message } = catalogue[code];
  return {
    id: code,
    shortDescription: { text: message.replace(/\{(\w+)\}/g, '<$1>') },
    help: { text: pageText(code) },
    defaultConfiguration: { level: severity },
  };
}

function result(one: PrintedDiagnostic, codes: readonly Code[]) {
  const text = [one.message, advice(one)].filter((part) => part !== '').join('; ');
  const region = { startLine: one.line, startColumn: one.column, endLine: one.endLine, endColumn: one.endColumn };
  return {
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: one.severity,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: uri(one.path) }, region } }],
  };
}

/** A relative reference, whose segments are encoded separately. */
function uri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
