// Parses impact.yaml: the findings that a maintainer has accepted, each with a reason and a last day.

import { isMap, isSeq, parseDocument } from 'yaml';
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

interface Parsed {
  readonly entries: readonly Acceptance[];
  readonly malformed: readonly string[];
}

function parse(text: string): Parsed {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined)
    return { entries: [], malformed: [`impact.yaml: invalid YAML: ${error.message.split('\n')[0]}`] };
  if (document.contents === null) return { entries: [], malformed: [] };
  if (!isMap(document.contents) || !isSeq(document.get('accept'))) {
    return { entries: [], malformed: ['impact.yaml: must have one key, accept, with a list of entries'] };
  }
  const items = (document.toJS() as { accept: readonly unknown[] }).accept;
  const parsed = items.map(parseEntry);
  return {
    entries: parsed.filter((entry) => typeof entry !== 'string'),
    malformed: parsed.flatMap((entry, at) =>
      typeof entry === 'string' ? [`impact.yaml: entry ${at + 1} ${entry}`] : [],
    ),
  };
}

/** @returns the entry, or what is wrong with it */
function parseEntry(item: unknown): Acceptance | string {
  const { fingerprint, reason, until } = (typeof item === 'object' && item !== null ? item : {}) as Partial<
    Record<keyof Acceptance, unknown>
  >;
  if (typeof fingerprint !== 'string' || !/^[0-9a-f]{12}$/.test(fingerprint))
    return 'needs a fingerprint: twelve hex digits in quotes';
  if (typeof reason !== 'string' || reason.trim() === '') return `(${fingerprint}) has no reason`;
  if (typeof until !== 'string' || !isDate(until)) return `(${fingerprint}) needs a date: until: YYYY-MM-DD`;
  return { fingerprint, reason, until };
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
