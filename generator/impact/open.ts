// The findings that somebody has to accept before an edit ships: what the exit code and every last line are about.

import type { Finding, Report } from './report.js';

/** Breaking, and not accepted. */
export function openFindings({ findings }: Report): readonly Finding[] {
  return findings.filter(({ breaking, accepted }) => breaking && accepted === null);
}
