// Parses impact.yaml: the findings that a maintainer has accepted, each with a reason and a last day.

import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { advice, printedDiagnostics } from '../diagnostics/formats.js';
import { fileSchema, structureProblems } from '../form/structure.js';
import { closed, DATE } from '../language/keywords.js';
import { load } from '../load/load.js';
import type { Acceptance, Finding } from './report.js';

export interface Acceptances {
  /** The entry that accepts a finding today; null if there is none. */
  find(fingerprint: string, today: string): Acceptance | null;
  /** One sentence for each entry that has no effect. */
  remarks(findings: readonly Pick<Finding, 'fingerprint'>[], today: string): readonly string[];
}

/** @param text null: the file does not exist */
export function parseAcceptances(text: string | null): Acceptances {
  const { entries, malformed } = text === null ? { entries: [], malformed: [] } : parse(text);
  return {
    find: (fingerprint, today) =>
      entries.find((entry) => entry.fingerprint === fingerprint && entry.until >= today) ?? null,
    remarks: (findings, today) => [
      ...malformed,
      ...entries.flatMap(({ fingerprint, until }) => {
        if (!findings.some((finding) => finding.fingerprint === fingerprint)) {
          return [`impact.yaml: ${fingerprint} is not a finding of this edit; remove it`];
        }
        return until < today ? [`impact.yaml: ${fingerprint} was accepted until ${until}`] : [];
      }),
    ],
  };
}

const PATH = 'impact.yaml';

const acceptedSchema = fileSchema(
  closed(
    {
      accept: {
        type: 'array',
        title: 'a list of entries',
        items: closed(
          {
            fingerprint: { type: 'string', pattern: '^[0-9a-f]{12}$', title: 'twelve hex digits in quotes' },
            reason: { type: 'string', pattern: '\\S', title: 'a text that says why' },
            until: DATE,
          },
          ['fingerprint', 'reason', 'until'],
        ),
      },
    },
    ['accept'],
  ),
);

interface ParsedAcceptances {
  readonly entries: readonly Acceptance[];
  readonly malformed: readonly string[];
}

/** A malformed entry takes nothing from the others. */
function parse(text: string): ParsedAcceptances {
  const { documents, diagnostics } = load([{ path: PATH, text }]);
  const unread = diagnostics.filter(({ code }) => code !== EMPTY_FILE);
  const invalid = documents.flatMap((document) => structureProblems(document, acceptedSchema()));
  const malformed = new Set(invalid.map(({ culprit: [, index] }) => index));
  const items = (documents[0]?.value.accept ?? []) as readonly Acceptance[];
  return {
    entries: Array.isArray(items) ? items.filter((_, index) => !malformed.has(String(index))) : [],
    malformed: sentences([...unread, ...invalid.flatMap((one) => one.diagnostics)], text),
  };
}

/** An empty file accepts nothing, which is not a mistake. */
const EMPTY_FILE = 'E0105';

function sentences(diagnostics: readonly Diagnostic[], text: string): readonly string[] {
  const texts = new Map([[PATH, text]]);
  return printedDiagnostics({ diagnostics, texts, pathOf: (path) => path }).map((finding) => {
    const rest = [finding.message, advice(finding)].filter((part) => part !== '').join('; ');
    return `${finding.path}:${finding.line}:${finding.column}: ${finding.severity} ${finding.code}: ${rest}`;
  });
}
