// Every form of the language is drawn by the random domains and changed by some slip, or it says here why not: a key that is
// added to the language fails this test until it has a draw and a slip.
import { parse } from 'yaml';
import { compileSpec } from '../../generator/compile-spec.js';
import { domainOf } from './domain.js';
import { allForms, formsIn } from './forms.js';

const SEEDS = 250;
const FIRST = 5000;

const CODE = 'it needs functions written by hand, which tests/service/handwritten and tests/maintainer have';
const HISTORY = 'it says what was before, of which tests/evolution and tests/migrate have two states';

/** Why the domains have none; a form within another of these is left out with it. */
const NOT_DRAWN: Readonly<Record<string, string>> = {
  lifecycle: CODE,
  served_by: CODE,
  'action.parameters': CODE,
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

describe('the random domains', () => {
  const drawn = new Set<string>();
  beforeAll(() => {
    for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
      const files = domainOf(seed);
      const texts = files.filter(({ path }) => path.includes('/resources/')).map(({ text }) => text);
      const fresh = texts.flatMap((text) => [...formsIn(parse(text)).keys()]).filter((form) => !drawn.has(form));
      // Only what is right counts; checking takes longer than drawing.
      if (fresh.length > 0 && compileSpec({ files, ledger: null }).ok) for (const form of fresh) drawn.add(form);
    }
  });

  test('EveryFormIsDrawn, but for those left out with a reason', () => {
    const missing = allForms().filter((form) => !drawn.has(form) && !isLeftOut(NOT_DRAWN, form));
    expect(missing).toEqual([]);
  });

  test('NoReasonIsOutdated', () =>
    expect(Object.keys(NOT_DRAWN).filter((form) => drawn.has(form) || !allForms().includes(form))).toEqual([]));
});

function isLeftOut(reasons: Readonly<Record<string, string>>, form: string): boolean {
  return Object.keys(reasons).some((one) => form === one || form.startsWith(`${one}.`) || form.startsWith(`${one}=`));
}
