// The API document, the validators and the tables accept and refuse the same values; and where one limit of one of them
// is another, the same search finds it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterKind } from '../../runtime/contract/definition.js';
import { generated, type OpenApi } from '../generator/openapi-document.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';
import { disagreement, type SeenVerdicts } from './agreement.js';
import { DEFINITIONS, everything, openJudges, reach, type Sources } from './judge.js';

const RUNS = count(40, 5000);
const documentText = readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8');
const { model } = generated();
const sources: Sources = {
  model,
  document: JSON.parse(documentText) as OpenApi,
  schemaSql: readFileSync(join(ROOT, 'generated', 'schema.sql'), 'utf8'),
  definitions: DEFINITIONS,
};
const parameters = everything(model);
const nothing = (): SeenVerdicts => ({ accepted: 0, refused: 0, unconverted: 0, empty: 0 });
/** Kinds whose converted values can still be wrong. */
const LIMITED: readonly ParameterKind[] = ['text', 'integer', 'decimal', 'token', 'url', 'reference', 'password'];

describe('the three judges', () => {
  const judges = openJudges(sources);
  const total = nothing();
  afterAll(() => {
    judges.close();
    const without = parameters.filter((one) => reach(one) === 'not').length;
    const half = parameters.filter((one) => reach(one) === 'no less').length;
    process.stdout.write(
      `judges: ${parameters.length} parameters; ${total.accepted} values accepted and ${total.refused} refused by all; ` +
        `left out: ${total.unconverted} that do not convert, ${total.empty} empty; the table has no say on ${without} ` +
        `parameters (ids, passwords) and half of one on ${half} (json)\n`,
    );
  });

  test.each(parameters.map((one) => [`${one.resource.name}.${one.parameter.name}`, one] as const))('%s', (_, one) => {
    const seen = nothing();
    expect(disagreement(one, judges.of(one), RUNS, seen)).toBeNull();
    // A search that never saw a yes, or never a no, has shown nothing.
    expect(seen.accepted).toBeGreaterThan(0);
    if (LIMITED.includes(one.parameter.kind)) expect(seen.refused).toBeGreaterThan(0);
    for (const key of ['accepted', 'refused', 'unconverted', 'empty'] as const) total[key] += seen[key];
  });
});

/** A parameter, and one limit of it in the API document and in the table: as it is, and changed. */
const CONTROLS = [
  [
    'boxtop',
    'quantity',
    ['"maximum":99', '"maximum":98'],
    ['"quantity" BETWEEN 1 AND 99', '"quantity" BETWEEN 1 AND 100'],
  ],
  [
    'boxtop',
    'name',
    ['"maxLength":255', '"maxLength":254'],
    ['length("name") BETWEEN 1 AND 255', 'length("name") BETWEEN 0 AND 255'],
  ],
  [
    'boxtop',
    'identity',
    ['"LargeStoutBoxTop",', ''],
    ['length("identity") BETWEEN 1 AND 60', 'length("identity") BETWEEN 1 AND 20'],
  ],
  ['scorepad', 'page_count', ['[40,60,80,100]', '[40,60,80]'], ['(40, 60, 80, 100)', '(40, 60, 80, 100, 101)']],
  [
    'designerassociate',
    'share_percent',
    ['{1,4}', '{1,3}'],
    ["instr(\"share_percent\" || '.', '.') <= 4", "instr(\"share_percent\" || '.', '.') <= 5"],
  ],
  ['apikey', 'uri', ['"maxLength":2000', '"maxLength":1999'], ['length("uri") <= 2000', 'length("uri") <= 2001']],
] as const;

describe('one other limit in one judge is found', () => {
  test.each(CONTROLS)('%s.%s', (resource, name, [schema, otherSchema], [check, otherCheck]) => {
    const one = parameters.find((each) => each.resource.name === resource && each.parameter.name === name);
    if (one === undefined) throw new Error(`no ${resource}.${name}`);
    for (const changed of [inDocument(), inTable(), inValidator()]) {
      const judges = openJudges(changed);
      expect(disagreement(one, judges.of(one), 3000, nothing())).not.toBeNull();
      judges.close();
    }

    function inDocument(): Sources {
      const document = JSON.parse(documentText) as { components: { schemas: Record<string, { properties: object }> } };
      const text = JSON.stringify(document.components.schemas[`${resource}_create`]);
      document.components.schemas[`${resource}_create`] = JSON.parse(replaced(text, schema, otherSchema));
      return { ...sources, document: document as unknown as OpenApi };
    }

    function inTable(): Sources {
      const table = sources.schemaSql.split(`CREATE TABLE "${resource}"`);
      const [before = '', after = ''] = table;
      return { ...sources, schemaSql: `${before}CREATE TABLE "${resource}"${replaced(after, check, otherCheck)}` };
    }

    /** The validator's limit is the document's: one that keeps to the changed document stands in for it. */
    function inValidator(): Sources {
      const stand = openJudges(inDocument()).of(one as NonNullable<typeof one>).document;
      const definitions = DEFINITIONS.map((definition) =>
        definition.name === resource
          ? {
              ...definition,
              validate: {
                ...definition.validate,
                create: (data: unknown) => stand((data as Record<string, unknown>)[name]),
              },
            }
          : definition,
      );
      return { ...sources, definitions };
    }
  });
});

function replaced(text: string, find: string, replace: string): string {
  if (!text.includes(find)) throw new Error(`there is no ${find}`);
  return text.replace(find, () => replace);
}
