// A report for a pull request: a table for each part that has findings.

import { openFindings } from '../open.js';
import type { Finding, Report } from '../report.js';
import type { Compared } from './formats.js';
import { asides, partsOf, places, TITLES } from './words.js';

export function markdown(report: Report, { base }: Compared): string {
  const count = openFindings(report).length;
  const verdict =
    count === 0
      ? 'Nothing breaking is left to accept.'
      : `**${count} breaking ${count === 1 ? 'finding' : 'findings'} not accepted.**`;
  const parts = partsOf(report).flatMap(([part, findings]) =>
    findings.length === 0 ? [] : [`### ${TITLES[part]}`, '', HEAD, ...findings.map(row), ''],
  );
  return `${[`## Impact compared with ${code(base)}`, '', verdict, '', ...parts].join('\n')}`;
}

const HEAD = '| | where | what | fingerprint |\n|---|---|---|---|';

function row(finding: Finding): string {
  const { class: kind, where, says, fingerprint, breaking, accepted } = finding;
  const shown = breaking && accepted === null ? `**${kind}**` : kind;
  const what = [says, ...asides(finding)].map(cell).join('<br>');
  return `| ${shown} | ${places(where).map(code).join(', ')} | ${what} | ${code(fingerprint)} |`;
}

function code(word: string): string {
  return `\`${cell(word)}\``;
}

function cell(words: string): string {
  return words.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
