// A report for a terminal: a part after the other, a line for each finding.

import { openFindings } from '../open.js';
import type { Finding, Report } from '../report.js';
import type { Compared } from './formats.js';
import { asides, partsOf, places, TITLES } from './words.js';

export function text(report: Report, { base, spec }: Compared): string {
  const parts = partsOf(report).map(([part, findings]) => {
    if (findings.length === 0) return `${TITLES[part]}: no change\n`;
    return `${TITLES[part]}\n${findings.map(line).join('')}`;
  });
  return `${parts.join('\n')}\n${last(report, base, spec)}\n`;
}

const WIDEST = 'destructive'.length;

function line(finding: Finding): string {
  const { fingerprint, class: kind, where, says } = finding;
  const known = asides(finding);
  const end = known.length === 0 ? '' : ` (${known.join('; ')})`;
  return `  ${kind.padEnd(WIDEST)}  ${fingerprint}  ${places(where).join(', ')}: ${says}${end}\n`;
}

function last(report: Report, base: string, spec: string): string {
  if (report.findings.length === 0) return `Nothing that matters differs from ${base}.`;
  const count = openFindings(report).length;
  if (count === 0) return `Compared with ${base}: nothing breaking is left to accept.`;
  const what = count === 1 ? '1 breaking finding is' : `${count} breaking findings are`;
  return `Compared with ${base}: ${what} not accepted in ${spec}/impact.yaml.`;
}
