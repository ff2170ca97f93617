// A report for a terminal: part by part, one line for each finding or for several with the same message.

import { openFindings } from '../open.js';
import type { Finding, Report } from '../report.js';
import type { ReportContext } from './formats.js';
import { annotations, counted, groupByMessage, partsOf, places, TITLES } from './words.js';

export function text(report: Report, { base, spec }: ReportContext): string {
  const parts = partsOf(report).map(([part, findings]) => {
    if (findings.length === 0) return `${TITLES[part]}: no change\n`;
    return `${TITLES[part]}\n${groupByMessage(findings).map(line).join('')}`;
  });
  return `${parts.join('\n')}\n${summary(report, base, spec)}\n`;
}

const WIDEST = 'destructive'.length;
const INDENT = ' '.repeat(WIDEST + 4);

/** Findings that share a line have their fingerprints below it if they need to be accepted. */
function line(findings: readonly [Finding, ...Finding[]]): string {
  const [{ class: kind, message, fingerprint, breaking }, ...others] = findings;
  const details = annotations(findings[0]);
  const end = details.length === 0 ? '' : ` (${details.join('; ')})`;
  const where = places(findings.flatMap((finding) => finding.where)).join(', ');
  const what = others.length === 0 ? fingerprint : `${findings.length} findings`.padEnd(fingerprint.length);
  const prints =
    others.length === 0 || !breaking ? '' : `${INDENT}${findings.map((finding) => finding.fingerprint).join(' ')}\n`;
  return `  ${kind.padEnd(WIDEST)}  ${what}  ${where}: ${message}${end}\n${prints}`;
}

function summary(report: Report, base: string, spec: string): string {
  if (report.findings.length === 0) return `No relevant difference from ${base}.`;
  const open = openFindings(report);
  if (open.length === 0) return `Compared with ${base}: nothing breaking or exposing left to accept.`;
  return `Compared with ${base}: ${counted(open)} ${open.length === 1 ? 'is' : 'are'} not accepted in ${spec}/impact.yaml.`;
}
