// The random domains use every form of the language and some slip changes it, unless a reason is given here: a key that is
// added to the language fails this test until it has a draw and a slip.
import { parse } from 'yaml';
import type { SpecSource } from '../../generator/check/project.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { memoizeByObject } from '../../generator/memoize.js';
import { readSpec } from '../../generator/write/read-spec.js';
import { SPEC } from '../access/project.js';
import { specSlips } from '../mutate/edits.js';
import { pageSpec } from '../mutate/page-spec.js';
import { node } from '../mutate/slip.js';
import { domainOf } from './domain.js';
import { allForms, formsIn } from './forms.js';

const SEEDS = 250;
const FIRST = 5000;

const CODE = 'it needs functions written by hand, which tests/service/handwritten and tests/maintainer have';
const HISTORY = 'it says what was before, of which tests/evolution and tests/migrate have two states';

/** Why domains do not use a form; a form within another of these is excluded with it. */
const NOT_DRAWN: Readonly<Record<string, string>> = {
  lifecycle: CODE,
  served_by: CODE,
  'action.parameters': CODE,
  'action.reads': CODE,
  reads: CODE,
  was: HISTORY,
  'field.was': HISTORY,
  'identities.*.was': HISTORY,
  'field.values.*.was': HISTORY,
  'clause.in': 'only receipts have it, whose rights tests/access knows one by one',
  'operations.create=false': 'there would be no record to try the rest on',
  'field=enum': 'an enum has values',
  'field=computed': 'it says what it shows',
  'field=password': 'nobody but the principal has one here, and that one is required',
  'field=reference': 'a field that is named like a resource is rarely short',
};

const PEOPLE = 'it is for people, and no generated test reads it';
const FILLED =
  'it is for rows that are there already, and a trial begins without any: tests/migrate/fills has slips in it';
const UNUSED = 'neither the service nor the project of spec/README.md has it, and the domains do';

/** Why no slip changes them, whatever their values. */
const NOT_CHANGED: Readonly<Record<string, string>> = {
  lifecycle: CODE,
  served_by: CODE,
  'action.reads': CODE,
  reads: CODE,
  was: HISTORY,
  'field.was': HISTORY,
  'identities.*.was': HISTORY,
  'field.values.*': UNUSED,
  'identities.*.deprecated': UNUSED,
  'identities.*.sunset': UNUSED,
  deprecated: UNUSED,
  sunset: UNUSED,
  'field.deprecated': UNUSED,
  'field.sunset': UNUSED,
  'paths.create': UNUSED,
  'paths.update': UNUSED,
  'a date in a text': UNUSED,
  'a limit with digits after the point': UNUSED,
  'a name without attributes': UNUSED,
  'an order in both directions': UNUSED,
  'action.copies': 'it names the one text that a copy has another of, which tests/properties/copies looks at',
  'field.fill': FILLED,
  'a fill from a copy': FILLED,
  'a fill from a part of a text': FILLED,
  'a fill from texts joined': FILLED,
  'a fill from a function': FILLED,
  'action.title': PEOPLE,
  title: PEOPLE,
  summary: PEOPLE,
  resource: 'the file gives it, too',
  principal: 'without it nobody could log in',
};

describe('the random domains', () => {
  const drawn = new Set<string>();
  beforeAll(() => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const files = domainOf(seed);
      const texts = files.filter(({ path }) => path.includes('/resources/')).map(({ text }) => text);
      const fresh = texts.flatMap((text) => [...formsIn(parse(text)).keys()]).filter((form) => !drawn.has(form));
      // Only valid domains count; checking takes longer than drawing.
      if (fresh.length > 0 && compileSpec({ files, ledger: null }).ok) for (const form of fresh) drawn.add(form);
    }
  });

  test('every form is drawn, except those excluded with a reason', () => {
    const missing = allForms().filter((form) => !drawn.has(form) && !isLeftOut(NOT_DRAWN, form));
    expect(missing).toEqual([]);
  });

  test('no reason is outdated', () =>
    expect(Object.keys(NOT_DRAWN).filter((form) => drawn.has(form) || !allForms().includes(form))).toEqual([]));
});

describe('the slips of npm run mutate:spec', () => {
  const changed = new Set<string>();
  beforeAll(() => {
    for (const source of [readSpec(SPEC), readSpec(pageSpec())])
      for (const form of changedIn(source)) changed.add(form);
  });
  const keys = allForms().filter((form) => !form.includes('='));

  test('a slip changes every key, except those excluded with a reason', () =>
    expect(keys.filter((form) => !changed.has(form) && !isLeftOut(NOT_CHANGED, form))).toEqual([]));

  test('no reason is outdated', () => expect(Object.keys(NOT_CHANGED).filter((form) => changed.has(form))).toEqual([]));
});

/** The forms that the slips of a spec change. */
function changedIn(source: SpecSource): readonly string[] {
  const files = new Map(source.files.map(({ path, text }) => [path, node(parse(text))]));
  const formsBefore = memoizeByObject(formsIn);
  return specSlips(source).flatMap(({ path, within, apply }) => {
    const part = within(files.get(path) ?? {});
    const slipped = structuredClone(part);
    apply(slipped);
    const [before, after] = [formsBefore(part), formsIn(slipped)];
    const forms = [...before.keys(), ...after.keys()];
    return forms.filter((form) => String(before.get(form)) !== String(after.get(form)));
  });
}

function isLeftOut(reasons: Readonly<Record<string, string>>, form: string): boolean {
  return Object.keys(reasons).some((one) => form === one || form.startsWith(`${one}.`) || form.startsWith(`${one}=`));
}
