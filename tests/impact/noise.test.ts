// N32: every fact appears once in a report, in a few lines and in plain words.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaView } from '../../generator/emit/schema.js';
import { parseAcceptances } from '../../generator/impact/accepted.js';
import { FORMATS } from '../../generator/impact/formats.js';
import { impact } from '../../generator/impact/impact.js';
import { parseLedger } from '../../generator/ledger/parse.js';
import { planPostgres } from '../../runtime/schema/postgres/plan.js';
import { planSqlite } from '../../runtime/schema/sqlite/plan.js';
import { inBoard } from '../evolution/pair.js';
import { BASE, type Edit, edited, type State, state } from '../evolution/texts.js';
import { projectFiles, ROOT } from '../generator/project-files.js';

const COMPARED = { base: 'HEAD', spec: 'spec' };
const before = Object.fromEntries(projectFiles().map(({ path, text }) => [path.replace('spec/', ''), text]));
const ledger = parseLedger(readFileSync(join(ROOT, 'spec', 'ledger.json'), 'utf8'));
if (typeof ledger === 'string') throw new Error(ledger);
const old = state(before, ledger);

function reportOf(old: State, now: State) {
  return impact(old.model, now.model, {
    ...{ today: '2026-06-01', acceptances: parseAcceptances(null), uses: null, count: null },
  });
}

function plansOf(edit: Edit) {
  const old = state(BASE, null);
  const now = state(edited(old.texts, edit), old.ledger);
  const [from, to] = [schemaView(old.model), schemaView(now.model)];
  return { SQLite: planSqlite(from, to), PostgreSQL: planPostgres(from, to) };
}

describe('N32: a field of 28 types is removed', () => {
  const conventions = before['conventions.yaml'] ?? '';
  const without = conventions.replace(/^ {6}quantity: .*Number of copies included\. }\n/m, '');
  expect(without).not.toBe(conventions);
  const report = reportOf(old, state({ ...before, 'conventions.yaml': without }, old.ledger));
  const lines = FORMATS.text(report, COMPARED).split('\n');

  test('the report is a handful of lines', () => {
    expect(report.findings.length).toBeGreaterThan(100);
    const findingLines = lines.filter((line) => /^ {2}[a-z]/.test(line));
    expect(findingLines.map((line) => line.slice(15))).toEqual([
      '28 findings   28 of GET /api/*, 222 of GET /api/game/{id}/*: can no longer be ordered by quantity',
      '28 findings   28 of POST /api/*, 28 of PUT /api/*/{id}, 28 of PATCH /api/*/{id}, POST /scorepad, PUT /scorepad/{id}: parameter quantity is gone (was never deprecated)',
      '28 findings   28 of POST /api/*, 28 of GET /api/*/{id}, 28 of PUT /api/*/{id}, 28 of PATCH /api/*/{id}, 28 of GET /api/*, 222 of GET /api/game/{id}/*, POST /scorepad, GET /scorepad/{id}, PUT /scorepad/{id}: property quantity is gone (was never deprecated)',
      '28 findings   28 of *.quantity: are gone, with their values; to apply it, use --allow drop:NAME',
    ]);
    expect(lines.length).toBeLessThan(20);
  });

  test('every operation is in a named set, and in the JSON report', () => {
    const { findings } = JSON.parse(FORMATS.json(report, COMPARED)) as typeof report;
    expect(findings).toEqual(JSON.parse(JSON.stringify(report.findings)));
    for (const rule of new Set(findings.map((finding) => finding.rule))) {
      const ofRule = findings.filter((one) => one.rule === rule);
      const line =
        lines.find((one) =>
          one.includes(ofRule.length > 1 && ofRule[0]?.part === 'data' ? 'drop:NAME' : String(ofRule[0]?.message)),
        ) ?? '';
      const sets =
        line
          .replace(/^ {2}\S+\s+\d+ findings\s+/, '')
          .split(': ')[0]
          ?.split(', ') ?? [];
      const counted = sets.map((set) => Number(/^(\d+) of /.exec(set)?.[1] ?? 1)).reduce((sum, one) => sum + one, 0);
      expect([rule, counted]).toEqual([rule, ofRule.flatMap(({ where }) => where).length]);
    }
  });

  test('the report has all fingerprints that acceptances need', () => {
    const printed = new Set(lines.flatMap((line) => line.match(/\b[0-9a-f]{12}\b/g) ?? []));
    const breaking = report.findings.filter((finding) => finding.breaking).map(({ fingerprint }) => fingerprint);
    expect(breaking.filter((one) => !printed.has(one))).toEqual([]);
  });
});

const LABEL = 'label: { kind: text, max: 30';
const NEW = 'maker: { kind: text, required: true, max: 300, description: Maker., fill: { copy: name } }';
const EDITS: Readonly<Record<string, Edit>> = {
  'a new field that is a copy, beside another limit': inBoard(
    [LABEL, 'label: { kind: text, max: 20'],
    ['  pin:', `  ${NEW}\n  pin:`],
  ),
  'an optional copy, alone': inBoard([
    '  pin:',
    '  maker: { kind: text, description: Maker., fill: { copy: name } }\n  pin:',
  ]),
  'a copy where the field was empty, beside another limit': inBoard([
    LABEL,
    'label: { kind: text, max: 300, required: true, fill: { copy: name }',
  ]),
};

describe.each(Object.entries(EDITS))('N32: %s', (_, edit) => {
  test.each(Object.entries(plansOf(edit)))('on %s each step is described once', (_engine, { steps }) => {
    const says = steps.map((step) => step.says);
    expect(says.filter((one, at) => says.indexOf(one) !== at)).toEqual([]);
    expect(says.filter((one) => / is (its|the) /.test(one))).toEqual([]);
  });
});

test('N32: one character and one place are singular', () => {
  const limits = (edit: Edit) => plansOf(edit).SQLite.changes.map(({ says }) => says);
  expect(limits(inBoard([LABEL, 'label: { kind: text, max: 1']))).toEqual([
    'now has the limit 0 to 1 character, previously 0 to 30 characters',
  ]);
  expect(limits(inBoard(['scale: 2', 'scale: 1']))).toEqual([expect.stringMatching(/with 1 place, .* with 2 places$/)]);
});

test('a right of the members of another resource is the same after a rename there', () => {
  const renamed = edited(before, {
    'resources/receipt.yaml': [['  refunded: {', '  paid_back: { was: refunded,']],
    'resources/gamedownload.yaml': [['where: { refunded: null }', 'where: { paid_back: null }']],
  });
  const { findings } = reportOf(old, state(renamed, old.ledger));
  expect(findings.map(({ rule }) => rule)).toContain('property_removed');
  expect(findings.filter(({ rule }) => rule === 'access_right')).toEqual([]);
});

test('a minimum length or a minimum number of items of 0 does not count as a limit', () => {
  const url = 'homepage: { kind: url, max: 200';
  const lists = (more: string) => `rows: { type: array${more} }`;
  const rows = 'rows: { type: integer, minimum: 1, maximum: 20 }';
  const from = state(edited(BASE, inBoard([rows, lists('')])), null);
  const to = edited(
    from.texts,
    inBoard([url, 'homepage: { kind: text, max: 200'], [lists(''), lists(', minItems: 0')]),
  );
  const { findings } = reportOf(from, state(to, from.ledger));
  const ofParameters = findings.filter(({ message }) => message.startsWith('parameter'));
  expect(ofParameters.map(({ breaking, message }) => [breaking, message])).toEqual([
    [false, 'parameter homepage: format uri -> none'],
    [false, expect.stringMatching(/^parameter homepage: pattern .* -> none$/)],
  ]);
  // A minimum of 1 does.
  const least = state(edited(from.texts, inBoard([lists(''), lists(', minItems: 1')])), from.ledger);
  expect(reportOf(from, least).findings.map(({ message }) => message)).toContain(
    'parameter layout: rows: min items none -> 1',
  );
});
