// The findings that must be accepted before an edit ships; they determine the exit code and the last line.

import type { Finding, Report } from './report.js';

/** The findings that are breaking and not accepted. */
export function openFindings({ findings }: Report): readonly Finding[] {
  return findings.filter(({ breaking, accepted }) => breaking && accepted === null);
}
