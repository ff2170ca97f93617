// A report for a pull request: a table for each part that has findings, one row for findings with the same message.

import { openFindings } from '../open.js';
import type { Finding, Report } from '../report.js';
import type { ReportContext } from './formats.js';
import { annotations, counted, groupByMessage, partsOf, places, TITLES } from './words.js';

export function markdown(report: Report, { base }: ReportContext): string {
  const open = openFindings(report);
  const verdict =
    open.length === 0 ? 'Nothing breaking or exposing left to accept.' : `**${counted(open)} not accepted.**`;
  const parts = partsOf(report).flatMap(([part, findings]) =>
    findings.length === 0 ? [] : [`### ${TITLES[part]}`, '', HEAD, ...groupByMessage(findings).map(row), ''],
  );
  return `${[`## Impact compared with ${code(base)}`, '', verdict, '', ...parts].join('\n')}`;
}

const HEAD = '| | where | what | fingerprint |\n|---|---|---|---|';

function row(findings: readonly [Finding, ...Finding[]]): string {
  const [{ class: kind, message, breaking, accepted }] = findings;
  const kindText = breaking && accepted === null ? `**${kind}**` : kind;
  const where = places(findings.flatMap((finding) => finding.where));
  const what = [message, ...annotations(findings[0])].map(cell).join('<br>');
  const prints = findings.map(({ fingerprint }) => code(fingerprint));
  return `| ${kindText} | ${where.map(code).join(', ')} | ${what} | ${prints.join('<br>')} |`;
}

function code(word: string): string {
  return `\`${cell(word)}\``;
}

function cell(words: string): string {
  return words.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
