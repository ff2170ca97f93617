// The report formats, one row each; every format has a file of its own.
import { print } from '../print.js';
import { type Finding, type Findings, findings } from './finding.js';
import { github } from './github.js';
import { sarif } from './sarif.js';

const FORMATS = {
  json: (found: readonly Finding[]) => `${JSON.stringify(found, null, 2)}\n`,
  github,
  sarif,
} as const;

export type Format = 'text' | keyof typeof FORMATS;

/** Diagnostics in the requested format; colour only applies to text. */
export function report(format: Format, found: Findings, colour: boolean): string {
  return format === 'text' ? print(found.diagnostics, found.texts, colour) : FORMATS[format](findings(found));
}
