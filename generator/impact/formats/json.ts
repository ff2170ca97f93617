// A report for programs: the findings as they are. `version` counts changes of this format.

import { openFindings } from '../open.js';
import type { Report } from '../report.js';
import type { ReportContext } from './formats.js';

export function json(report: Report, { base }: ReportContext): string {
  const { findings, remarks } = report;
  return `${JSON.stringify({ version: 2, base, open: openFindings(report).length, findings, remarks }, null, 2)}\n`;
}
