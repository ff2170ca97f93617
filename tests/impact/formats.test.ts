// One small report in each format, written by hand.

import { FORMATS } from '../../generator/impact/formats.js';
import type { Finding, Report } from '../../generator/impact/report.js';

const COMPARED = { base: 'main', spec: 'spec' };
const BASIS = { from: 99, to: 50, notes: [], advice: null, accepted: null, covered: null };
const REPORT: Report = {
  findings: [
    {
      ...BASIS,
      part: 'api',
      rule: 'parameter_limit',
      class: 'breaking',
      breaking: true,
      where: ['POST /api/board', 'PUT /api/board/{id}'],
      message: 'parameter quantity: max 99 -> 50',
      fingerprint: '00000000000a',
    },
    {
      ...BASIS,
      part: 'api',
      rule: 'property_removed',
      class: 'breaking',
      breaking: true,
      where: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
      message: 'property size is gone',
      fingerprint: '00000000000b',
      notes: ['still used: 3 times'],
      advice: 'add to extent: shown_as: [size]',
      accepted: { fingerprint: '00000000000b', reason: 'a | b', until: '2027-01-31' },
    },
    {
      ...BASIS,
      part: 'data',
      rule: 'limit_changed',
      class: 'rebuild',
      breaking: false,
      where: ['board.quantity'],
      message: 'now has the limit 1 to 50, previously 1 to 99',
      fingerprint: '00000000000c',
    },
  ],
  remarks: ['impact.yaml: ffffffffffff is not a finding of this edit; remove it'],
};
const EMPTY: Report = { findings: [], remarks: [] };

test('N32: a finding at many places is reported in the plural', () => {
  const [, , one] = REPORT.findings;
  const lineOf = (message: string, where: readonly string[]) => {
    const findings = where.map((place) => ({ ...one, where: [place], message }) as Finding);
    return FORMATS.text({ findings, remarks: [] }, COMPARED)
      .split('\n')
      .find((line) => line.includes(message.slice(-6)));
  };
  const face = ['face_id', 'has_proofed_face'];
  for (const [singular, several] of [
    ['is gone, with its values', 'are gone, with their values'],
    ['was previously called front', 'were previously called front'],
    ['now has an index', 'now have an index'],
    ['max 99 -> 50', 'max 99 -> 50'],
  ] as const) {
    expect(lineOf(singular, ['face_id'])).toContain(`face_id: ${singular}`);
    expect(lineOf(singular, face)).toContain(`face_id, has_proofed_face: ${several}`);
  }
});

test('as text', () => {
  expect(FORMATS.text(REPORT, COMPARED)).toBe(`API
  breaking     00000000000a  POST /api/board, PUT /api/board/{id}: parameter quantity: max 99 -> 50
  breaking     00000000000b  a, b, c, d, 5 more: property size is gone (still used: 3 times; accepted until 2027-01-31: a | b)
               = add to extent: shown_as: [size]

Data
  rebuild      00000000000c  board.quantity: now has the limit 1 to 50, previously 1 to 99

Web hooks: no change

Compared with main: 1 breaking finding is not accepted in spec/impact.yaml.
`);
});

test('an empty report as text', () => {
  expect(FORMATS.text(EMPTY, COMPARED)).toBe(`API: no change

Data: no change

Web hooks: no change

No relevant difference from main.
`);
});

test('as Markdown', () => {
  expect(FORMATS.markdown(REPORT, COMPARED)).toBe(`## Impact compared with \`main\`

**1 breaking finding not accepted.**

### API

| | where | what | fingerprint |
|---|---|---|---|
| **breaking** | \`POST /api/board\`, \`PUT /api/board/{id}\` | parameter quantity: max 99 -> 50 | \`00000000000a\` |
| breaking | \`a\`, \`b\`, \`c\`, \`d\`, \`5 more\` | property size is gone<br>still used: 3 times<br>accepted until 2027-01-31: a \\| b<br>\`add to extent: shown_as: [size]\` | \`00000000000b\` |

### Data

| | where | what | fingerprint |
|---|---|---|---|
| rebuild | \`board.quantity\` | now has the limit 1 to 50, previously 1 to 99 | \`00000000000c\` |
`);
});

test('an empty report as Markdown', () => {
  expect(FORMATS.markdown(EMPTY, COMPARED)).toBe(
    '## Impact compared with `main`\n\nNothing breaking or exposing left to accept.\n',
  );
});

test('as JSON', () => {
  expect(JSON.parse(FORMATS.json(REPORT, COMPARED))).toEqual({ version: 2, base: 'main', open: 1, ...REPORT });
});

describe('equal findings at several places', () => {
  const [first] = REPORT.findings;
  const alike = ['d', 'e'].map((letter) => ({
    ...(first as NonNullable<typeof first>),
    where: [`POST /api/${letter}`, `PUT /api/${letter}/{id}`],
    fingerprint: `00000000000${letter}`,
  }));
  const accepted = alike.map((one) => ({
    ...one,
    fingerprint: '00000000000f',
    accepted: { fingerprint: '00000000000f', reason: 'r', until: '2027-01-31' },
  }));
  const report: Report = { findings: [...alike, ...accepted.slice(0, 1)], remarks: [] };

  test('are joined in text', () => {
    expect(FORMATS.text(report, COMPARED).split('\n').slice(1, 4)).toEqual([
      '  breaking     2 findings    POST /api/d, PUT /api/d/{id}, POST /api/e, PUT /api/e/{id}: parameter quantity: max 99 -> 50',
      '               00000000000d 00000000000e',
      // Accepted findings are listed separately.
      '  breaking     00000000000f  POST /api/d, PUT /api/d/{id}: parameter quantity: max 99 -> 50 (accepted until 2027-01-31: r)',
    ]);
  });

  test('are joined in Markdown', () => {
    const rows = FORMATS.markdown(report, COMPARED)
      .split('\n')
      .filter((line) => line.includes('quantity'));
    expect(rows).toEqual([
      '| **breaking** | `POST /api/d`, `PUT /api/d/{id}`, `POST /api/e`, `PUT /api/e/{id}` | parameter quantity: max 99 -> 50 | `00000000000d`<br>`00000000000e` |',
      '| breaking | `POST /api/d`, `PUT /api/d/{id}` | parameter quantity: max 99 -> 50<br>accepted until 2027-01-31: r | `00000000000f` |',
    ]);
  });

  test('safe findings are shown without fingerprints', () => {
    const safe = alike.map((one) => ({ ...one, class: 'safe' as const, breaking: false }));
    expect(FORMATS.text({ findings: safe, remarks: [] }, COMPARED).split('\n').slice(1, 3)).toEqual([
      '  safe         2 findings    POST /api/d, PUT /api/d/{id}, POST /api/e, PUT /api/e/{id}: parameter quantity: max 99 -> 50',
      '',
    ]);
  });

  test('are listed one by one in JSON', () => {
    const parsed = JSON.parse(FORMATS.json(report, COMPARED)) as Report;
    expect(parsed.findings.map(({ fingerprint }) => fingerprint)).toEqual([
      '00000000000d',
      '00000000000e',
      '00000000000f',
    ]);
  });
});
