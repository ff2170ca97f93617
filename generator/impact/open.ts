// The findings that somebody has to accept before an edit ships: what the exit code and every last line are about.

import type { Finding, Report } from './report.js';

/**
 * Breaking, and not accepted. The generated types are left out: what breaks there breaks on the wire, and one word of
 * acceptance is enough.
 */
export function openFindings({ findings }: Report): readonly Finding[] {
  return findings.filter(({ part, breaking, accepted }) => part !== 'clients' && breaking && accepted === null);
}
