// The forms in which diagnostics are told: one row each. What a form looks like stands in a file of its own.
import { print } from '../print.js';
import { type Finding, type Findings, findings } from './finding.js';
import { github } from './github.js';
import { sarif } from './sarif.js';

const MACHINES = {
  json: (found: readonly Finding[]) => `${JSON.stringify(found, null, 2)}\n`,
  github,
  sarif,
} as const;

export type Format = 'text' | keyof typeof MACHINES;

/** Diagnostics in the form asked for; colour is for text alone. */
export function report(format: Format, told: Findings, colour: boolean): string {
  return format === 'text' ? print(told.diagnostics, told.texts, colour) : MACHINES[format](findings(told));
}
