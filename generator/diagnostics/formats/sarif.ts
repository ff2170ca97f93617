// Diagnostics as a SARIF 2.1.0 log, which code scanning reads; every rule includes its page.
import { type Code, catalogue } from '../catalogue.js';
import { pageText } from '../page.js';
import { advice, type Finding } from './finding.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** A log of one run; without findings its list of results is empty. */
export function sarif(found: readonly Finding[]): string {
  const codes = [...new Set(found.map(({ code }) => code))].sort();
  const driver = { name: 'punchboard', rules: codes.map(rule) };
  // Columns count characters, as everywhere else in these reports.
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results: found.map((one) => result(one, codes)) };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function rule(code: Code) {
  const { severity, message } = catalogue[code];
  return {
    id: code,
    shortDescription: { text: message.replace(/\{(\w+)\}/g, '<$1>') },
    help: { text: pageText(code) },
    defaultConfiguration: { level: severity },
  };
}

function result(one: Finding, codes: readonly Code[]) {
  const text = [one.message, advice(one)].filter((part) => part !== '').join('; ');
  const region = { startLine: one.line, startColumn: one.column, endLine: one.endLine, endColumn: one.endColumn };
  return {
    ruleId: one.code,
    ruleIndex: codes.indexOf(one.code),
    level: one.severity,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: uri(one.path) }, region } }],
  };
}

/** A relative reference; each piece of the path is encoded by itself. */
function uri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
