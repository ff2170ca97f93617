// The formats of a report, by the value of --format: for a terminal, for a pull request, for programs. A new format is a new row.

import { type Finding, openFindings, PARTS, type Report, type ReportPart } from './report.js';

export interface ReportContext {
  /** The ref, as the user typed it. */
  readonly base: string;
  readonly spec: string;
}

export type ReportFormat = 'text' | 'markdown' | 'json';

export const FORMATS: Readonly<Record<ReportFormat, (report: Report, compared: ReportContext) => string>> = {
  text,
  markdown,
  json,
};

export function text(report: Report, { base, spec }: ReportContext): string {
  const parts = partsOf(report).map(([part, findings]) => {
    if (findings.length === 0) return `${TITLES[part]}: no change\n`;
    return `${TITLES[part]}\n${groupByMessage(findings).map(line).join('')}`;
  });
  return `${parts.join('\n')}\n${summary(report, base, spec)}\n${offer(report, base)}`;
}

const WIDEST = 'destructive'.length;
const INDENT = ' '.repeat(WIDEST + 4);

/** Findings that share a line have their fingerprints below it if they need to be accepted. */
function line(findings: readonly [Finding, ...Finding[]]): string {
  const [{ fingerprint, breaking, covered }, ...others] = findings;
  const kind = verdictOf(findings[0]);
  const details = annotations(findings[0]);
  const end = details.length === 0 ? '' : ` (${details.join('; ')})`;
  const where = places(findings.flatMap((finding) => finding.where)).join(', ');
  const label = others.length === 0 ? fingerprint : `${findings.length} findings`.padEnd(fingerprint.length);
  const prints =
    others.length === 0 || !breaking || covered !== null
      ? ''
      : `${INDENT}${findings.map((finding) => finding.fingerprint).join(' ')}\n`;
  const advice = findings[0].advice === null || covered !== null ? '' : `${INDENT}= ${findings[0].advice}\n`;
  return `  ${kind.padEnd(WIDEST)}  ${label}  ${where}: ${messageOf(findings)}${end}\n${prints}${advice}`;
}

/** The class of a finding, unless it is covered, which needs no action. */
function verdictOf({ class: kind, covered }: Finding): string {
  return covered === null ? kind : 'covered';
}

function summary(report: Report, base: string, spec: string): string {
  if (report.findings.length === 0) return `No relevant difference from ${base}.`;
  const open = openFindings(report);
  if (open.length === 0) return `Compared with ${base}: nothing breaking or exposing left to accept.`;
  return `Compared with ${base}: ${countText(open)} ${open.length === 1 ? 'is' : 'are'} not accepted in ${spec}/impact.yaml.`;
}

/** The offer to cut a version of the base; empty if the version would cover no finding. */
function offer({ coverable = 0 }: Report, base: string): string {
  if (coverable === 0) return '';
  const count = coverable === 1 ? '1 finding' : `${coverable} findings`;
  return `A version of ${base} would cover ${count} for the clients that name it: punchboard version cut <date> --from ${base}\n`;
}

export function markdown(report: Report, { base }: ReportContext): string {
  const open = openFindings(report);
  const verdict =
    open.length === 0 ? 'Nothing breaking or exposing left to accept.' : `**${countText(open)} not accepted.**`;
  const parts = partsOf(report).flatMap(([part, findings]) =>
    findings.length === 0 ? [] : [`### ${TITLES[part]}`, '', HEAD, ...groupByMessage(findings).map(row), ''],
  );
  return `${[`## Impact compared with ${code(base)}`, '', verdict, '', ...parts].join('\n')}`;
}

const HEAD = '| | where | what | fingerprint |\n|---|---|---|---|';

function row(findings: readonly [Finding, ...Finding[]]): string {
  const [{ breaking, accepted, covered }] = findings;
  const kind = verdictOf(findings[0]);
  const kindText = breaking && accepted === null && covered === null ? `**${kind}**` : kind;
  const where = places(findings.flatMap((finding) => finding.where));
  const advice = findings[0].advice === null || covered !== null ? [] : [code(findings[0].advice)];
  const text = [...[messageOf(findings), ...annotations(findings[0])].map(cell), ...advice].join('<br>');
  const prints = findings.map(({ fingerprint }) => code(fingerprint));
  return `| ${kindText} | ${where.map(code).join(', ')} | ${text} | ${prints.join('<br>')} |`;
}

function code(word: string): string {
  return `\`${cell(word)}\``;
}

function cell(words: string): string {
  return words.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function json(report: Report, { base }: ReportContext): string {
  const { findings, remarks, coverable } = report;
  return `${JSON.stringify({ version: 2, base, open: openFindings(report).length, findings, remarks, coverable }, null, 2)}\n`;
}

const TITLES: Readonly<Record<ReportPart, string>> = {
  api: 'API',
  data: 'Data',
  webhooks: 'Web hooks',
};

/** How many places are listed one by one, and how many names of one word. */
const LISTED = 8;
const NAMED = 4;

/**
 * The places, or, if there are many, the sets that they form: `28 of POST /api/*`. Operations of one method and shape of path
 * form a set, as do columns of one name.
 */
export function places(where: readonly string[]): readonly string[] {
  if (where.length <= LISTED) return where;
  const sets = new Map<string, string[]>();
  for (const place of where) {
    const shape = wordsOf(place).map((word, at) => (isFixed(word, at) ? word : '*'));
    sets.set(shape.join(''), [...(sets.get(shape.join('')) ?? []), place]);
  }
  return [...sets.values()].flatMap(setText);
}

/** Words and their separators, alternately. */
function wordsOf(place: string): readonly string[] {
  return place.split(/([ ./]+)/);
}

/** Separators, the method, the `api` after it, and parameters. */
function isFixed(word: string, at: number): boolean {
  return at % 2 === 1 || /^[A-Z]+$|^api$|^\{.*\}$|^$/.test(word);
}

function setText(members: readonly string[]): readonly string[] {
  const [first = '', ...others] = members;
  if (others.length === 0) return [first];
  const words = wordsOf(first);
  if (words.length === 1)
    return members.length <= NAMED ? members : [...members.slice(0, NAMED), `${members.length - NAMED} more`];
  const common = words.map((word, at) => (others.every((other) => wordsOf(other)[at] === word) ? word : '*'));
  return [`${members.length} of ${common.join('')}`];
}

function partsOf({ findings }: Report): readonly (readonly [ReportPart, readonly Finding[]])[] {
  return PARTS.map((part) => [part, findings.filter((finding) => finding.part === part)]);
}

/** Groups findings whose messages differ only in the place, as an edit of a convention produces them; keeps their order. */
function groupByMessage(findings: readonly Finding[]): readonly (readonly [Finding, ...Finding[]])[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([
      finding.class,
      finding.rule,
      sharedMessage(finding),
      annotations(finding),
      finding.advice,
    ]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

/** The message of a group, without the place, which differs between its findings. */
function messageOf([first, ...others]: readonly [Finding, ...Finding[]]): string {
  const message = others.length === 0 ? first.message : sharedMessage(first);
  return first.where.length + others.length > 1 ? plural(message) : message;
}

/** The beginnings of messages whose subject is the place. */
const PLURALS: readonly (readonly [RegExp, string])[] = [
  [/^(now |no longer )?has /, '$1have '],
  [/^is /, 'are '],
  [/^was /, 'were '],
  [/^carries /, 'carry '],
  [/^now refers /, 'now refer '],
];

function plural(message: string): string {
  const [plural] = PLURALS.filter(([singular]) => singular.test(message));
  return plural === undefined ? message : message.replace(...plural).replace(/, with (all )?its /, ', with $1their ');
}

function sharedMessage({ message, where: [place, ...others] }: Finding): string {
  return place === undefined || others.length > 0 ? message : message.replaceAll(place, 'NAME');
}

/** The notes on a finding, and its acceptance: `accepted until 2027-01-31: no caller sends it`. */
function annotations({ accepted, covered, notes }: Finding): readonly string[] {
  const until = covered?.sunset === undefined ? '' : ` until ${covered.sunset}`;
  return [
    ...notes,
    ...(covered === null ? [] : [`by version ${covered.version}${until}`]),
    ...(accepted === null ? [] : [`accepted until ${accepted.until}: ${accepted.reason}`]),
  ];
}

/** `1 breaking and 2 exposing findings`. */
export function countText(findings: readonly Finding[]): string {
  const exposing = findings.filter((finding) => finding.class === 'exposing').length;
  const numbers = [
    [findings.length - exposing, 'breaking'],
    [exposing, 'exposing'],
  ] as const;
  const counts = numbers.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return `${counts.join(' and ')} ${findings.length === 1 ? 'finding' : 'findings'}`;
}
