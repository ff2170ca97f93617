// Diagnostics as workflow commands, which GitHub shows next to the lines of a pull request.
import { advice, type Finding } from './finding.js';

/** One line per finding; '' if there are none. */
export function github(found: readonly Finding[]): string {
  return found.map(command).join('');
}

function command(one: Finding): string {
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
