// D68: what `punchboard version`, `impact` and `check` report about versions.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImpactSources, runImpact } from '../../generator/commands/impact.js';
import { versionText } from '../../generator/emit/versions.js';
import { type Ledger, ledgerText } from '../../generator/ledger/ledger.js';
import { cut } from '../../generator/versions/shape.js';
import type { VersionTable } from '../../runtime/contract/versions.js';
import { inBoard } from '../evolution/pair.js';
import { BASE, type Edit, edited, PAIRS, type Pair, state, states, type Texts } from '../evolution/pairs.js';
import { git, makeRepository } from '../support/git.js';
import { runHere } from '../support/maintainers-here.js';
import { temporaryFolder } from '../support/paths.js';
import { writeFiles } from '../support/write-files.js';
import { notices, STARTED } from './groups.js';

const RENAME = inBoard(['height: { kind: integer', 'tallness: { kind: integer, was: height']);
const SHORTER = inBoard(['label: { kind: text, max: 30', 'label: { kind: text, max: 20']);
const SOURCES: ImpactSources = { today: '2027-02-01', count: null };

/** A repository with the small spec. */
function repository(): { readonly folder: string; write(edit: Edit): void; commit(): void } {
  const folder = temporaryFolder('version-commands');
  let texts: Texts = BASE;
  let ledger: Ledger | null = null;
  const write = (edit: Edit) => {
    texts = edited(texts, edit);
    writeFiles(join(folder, 'spec'), texts);
    // The ledger is as gen writes it.
    ledger = state(texts, ledger).ledger;
    writeFileSync(join(folder, 'spec', 'ledger.json'), ledgerText(ledger));
  };
  write({});
  makeRepository(folder);
  const commit = () => {
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'spec');
  };
  return { folder, write, commit };
}

const version = (folder: string, ...words: string[]) =>
  runHere(['version', ...words, '--spec', join(folder, 'spec')], '2027-02-01');

test('a version is cut, shown, compared with today, and dropped after its sunset', () => {
  const { folder, write } = repository();
  const path = join(folder, 'spec', 'versions', '2027-01-15.json');
  expect(version(folder, 'list').stdout).toBe('There are no versions.\n');
  expect(version(folder, 'cut', '2027-01-15', '--sunset', '2027-01-31')).toEqual({
    code: 0,
    stdout: `Wrote ${path}: 6 resources, served until 2027-01-31.\n`,
    stderr: '',
  });
  expect(version(folder, 'cut', '2027-01-15').stderr).toBe(`${path} already exists: a version never changes\n`);
  expect(version(folder, 'list').stdout).toBe('2027-01-15  until 2027-01-31  6 resources\n');
  expect(version(folder, 'show', '2027-01-15').stdout).toContain('\n  height  number\n');
  expect(version(folder, 'diff', '2027-01-15').stdout).toBe(
    "Callers of 2027-01-15 get today's answers\nEverything is covered.\n",
  );
  write({ ...RENAME });
  write({ ...SHORTER });
  expect(version(folder, 'diff', '2027-01-15').stdout).toBe(
    'Callers of 2027-01-15 get earlier answers for: board\n' +
      'Not covered:\n  board.fields.label.schema.maxLength: 30 -> 20\n',
  );
  const metrics = join(folder, 'metrics');
  const remembered = (by: string, count: number) =>
    `punchboard_version_remembered{version="2027-01-15",by="${by}"} ${count}\n`;
  writeFileSync(
    metrics,
    `punchboard_version_use_total{version="2027-01-15"} 12\n${remembered('session', 0)}${remembered('webhook', 1)}`,
  );
  expect(version(folder, 'list', '--metrics', metrics).stdout).toBe(
    '2027-01-15  until 2027-01-31  6 resources  12 requests  1 webhook\n',
  );
  expect(version(folder, 'drop', '2027-01-15', '--metrics', metrics).stderr).toBe(
    '2027-01-15 is still used: 12 requests, 1 webhook\n',
  );
  writeFileSync(metrics, remembered('apikey', 2));
  expect(version(folder, 'drop', '2027-01-15', '--metrics', metrics).stderr).toBe(
    '2027-01-15 is still used: 2 apikeys\n',
  );
  expect(version(folder, 'list', '--metrics', join(folder, 'none')).code).toBe(2);
  expect(version(folder, 'drop', '2027-01-15')).toMatchObject({ code: 0, stdout: `Removed ${path}.\n` });
  expect(version(folder, 'drop', '2027-01-15').stderr).toBe('there is no version 2027-01-15\n');
});

test('the order of a unique set is covered, and a version that does not state the sets is read', () => {
  const { folder, write } = repository();
  version(folder, 'cut', '2027-01-15');
  const path = join(folder, 'spec', 'versions', '2027-01-15.json');
  const text = readFileSync(path, 'utf8');
  const older = JSON.parse(text, (key, value: unknown) => (key === 'uniques' ? undefined : value));
  expect(text).toContain('"uniques"');
  write(inBoard(['[[game, name]]', '[[name, game]]']));
  for (const one of [text, JSON.stringify(older)]) {
    writeFileSync(path, one);
    expect(version(folder, 'diff', '2027-01-15').stdout).toContain('Everything is covered.\n');
  }
});

test('a spec that the ledger does not know is not cut', () => {
  const { folder } = repository();
  rmSync(join(folder, 'spec', 'ledger.json'));
  expect(version(folder, 'cut', '2027-01-15').stderr).toBe('the ledger does not know all of the spec: run gen first\n');
});

test('wrong dates, and a version that is still served', () => {
  const { folder } = repository();
  expect(version(folder, 'cut', '2027-02-30')).toMatchObject({
    code: 2,
    stderr: '2027-02-30 is not a date such as 2027-01-15\n',
  });
  expect(version(folder, 'cut', '2027-01-15', '--sunset', '2027-01-15').code).toBe(2);
  expect(version(folder, 'cut', '2028-02-29').stdout).toContain('served until 2029-02-28');
  expect(version(folder, 'drop', '2028-02-29').stderr).toBe('2028-02-29 is served until 2029-02-28\n');
});

test('impact offers to cut the commit before, and then marks findings as covered', () => {
  const { folder, write } = repository();
  const spec = join(folder, 'spec');
  write({ ...RENAME });
  write({ ...SHORTER });
  const options = { base: 'HEAD', spec, format: 'text' } as const;
  const uncovered = runImpact(options, SOURCES);
  expect(uncovered.code).toBe(2);
  expect(uncovered.stdout).toContain(
    'A version of HEAD would cover 3 findings for the clients that name it: punchboard version cut <date> --from HEAD\n',
  );
  expect(version(folder, 'cut', '2027-01-15', '--from', 'HEAD').code).toBe(0);
  const { code, stdout } = runImpact(options, SOURCES);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^ {2}covered .*property height is gone.*\(.*by version 2027-01-15 until 2028-01-15\)$/m);
  expect(stdout).toMatch(
    /^ {2}breaking .*max length 30 -> 20 \(not covered by 2027-01-15: values that were accepted are refused/m,
  );
  expect(stdout).toContain('Compared with HEAD: 1 breaking finding is not accepted');
  expect(stdout).not.toContain('A version of HEAD would cover');
  // A version after its sunset covers nothing.
  expect(runImpact(options, { ...SOURCES, today: '2028-01-16' }).stdout).not.toContain('covered ');
});

test('impact reports changes that only callers of a version would notice, of every version that is served', () => {
  const { folder, write, commit } = repository();
  for (const [date, sunset] of [
    ['2027-01-01', '2027-01-31'],
    ['2027-01-10', '2028-01-10'],
    ['2027-01-15', '2028-01-15'],
  ] as const)
    expect(version(folder, 'cut', date, '--sunset', sunset).code).toBe(0);
  write({ ...RENAME });
  commit();
  expect(version(folder, 'cut', '2027-01-20').code).toBe(0);
  write(
    inBoard([
      'tallness: { kind: integer, was: height, min: 0, max: 500',
      'tallness: { kind: integer, was: height, min: 0, max: 400',
    ]),
  );
  const { stdout } = runImpact({ base: 'HEAD', spec: join(folder, 'spec'), format: 'text' }, SOURCES);
  expect(stdout).toMatch(/parameter tallness: max 500 -> 400 \(not covered by 2027-01-20: /);
  expect(stdout).toMatch(/parameter height: max 500 -> 400 \(under 2027-01-10; under 2027-01-15\)/);
  // HEAD has been cut already, and another cut would not help callers of earlier versions.
  expect(stdout).not.toContain('would cover');
});

test('a new choice with the name of a former choice is a different choice to callers of a version', () => {
  const chosen = (values: string) => edited(STARTED, inBoard(['values: [matt, gloss]', `values: ${values}`]));
  const first = state(STARTED, null);
  const shiny = state(chosen('{ matt: , shiny: { was: gloss } }'), first.ledger);
  const again = state(chosen('[matt, gloss]'), shiny.ledger);
  expect(notices(first, again)).toEqual(['parameter finish: can no longer be gloss; records keep it']);
});

test('fields that were only reordered keep their earlier order under a version', () => {
  const { old, new: now } = states(PAIRS.find(({ name }) => name === 'fields in another order') as Pair);
  const { resources } = JSON.parse(versionText(cut(old.model, '2027-01-15'), now.model)) as VersionTable;
  expect(Object.keys(resources.game?.fields ?? {}).slice(4)).toEqual([
    'name',
    'user_id',
    'shared',
    'blurb',
    'board_count',
  ]);
});

test('a damaged file is reported with the position of its mistake', () => {
  const { folder } = repository();
  expect(version(folder, 'cut', '2027-01-15').code).toBe(0);
  const path = join(folder, 'spec', 'versions', '2027-01-15.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"operations"', '"operation"'));
  const { code, stdout, stderr } = runHere(['check', '--spec', join(folder, 'spec')], '2027-02-01');
  expect(code).toBe(1);
  expect(stdout + stderr).toMatch(/versions\/2027-01-15\.json:7:7: error E0201: unknown key "operation"/);
});

test('a superfluous comma does not lose a version', () => {
  const { folder } = repository();
  expect(version(folder, 'cut', '2027-01-15', '--sunset', '2028-01-15').code).toBe(0);
  const path = join(folder, 'spec', 'versions', '2027-01-15.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/\}\s*$/, ',}\n'));
  expect(version(folder, 'list').stdout).toBe('2027-01-15  until 2028-01-15  6 resources\n');
});
