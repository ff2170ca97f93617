// The API document, the validators and the tables accept and refuse the same values; and if one of them has a different limit,
// the same search detects it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParameterKind } from '../../runtime/contract/definition.js';
import { generated, type OpenApi } from '../generator/openapi-document.js';
import { count } from '../support/counts.js';
import { ROOT } from '../support/paths.js';
import { disagreement, type VerdictCounts } from './agreement.js';
import { DEFINITIONS, openValidations, reach, type Sources, storedParameters } from './validations.js';

const RUNS = count(40, 5000);
const documentText = readFileSync(join(ROOT, 'generated', 'openapi.json'), 'utf8');
const { model } = generated();
const sources: Sources = {
  model,
  document: JSON.parse(documentText) as OpenApi,
  schemaSql: readFileSync(join(ROOT, 'generated', 'schema.sql'), 'utf8'),
  definitions: DEFINITIONS,
};
const parameters = storedParameters(model);
const noCounts = (): VerdictCounts => ({ accepted: 0, refused: 0, unconverted: 0, empty: 0 });
/** Kinds whose converted values can still be invalid. */
const LIMITED: readonly ParameterKind[] = ['text', 'integer', 'decimal', 'token', 'url', 'reference', 'password'];

describe('the three validations agree', () => {
  const validations = openValidations(sources);
  const total = noCounts();
  afterAll(() => {
    validations.close();
    const without = parameters.filter((parameter) => reach(parameter) === 'not').length;
    const half = parameters.filter((parameter) => reach(parameter) === 'no less').length;
    process.stdout.write(
      `validations: ${parameters.length} parameters; ${total.accepted} values accepted and ${total.refused} refused by all; ` +
        `left out: ${total.unconverted} that do not convert, ${total.empty} empty; the table has no say on ${without} ` +
        `parameters (ids, passwords) and half of one on ${half} (json)\n`,
    );
  });

  test.each(parameters.map((each) => [`${each.resource.name}.${each.parameter.name}`, each] as const))(
    '%s',
    (_, parameter) => {
      const seen = noCounts();
      expect(disagreement(parameter, validations.of(parameter), RUNS, seen)).toBeNull();
      // A search without both accepted and refused values proves nothing.
      expect(seen.accepted).toBeGreaterThan(0);
      if (LIMITED.includes(parameter.parameter.kind)) expect(seen.refused).toBeGreaterThan(0);
      for (const key of ['accepted', 'refused', 'unconverted', 'empty'] as const) total[key] += seen[key];
    },
  );
});

/** A parameter, with one of its limits in the API document and in the table, as they are and changed. */
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

describe('a different limit in one of them is detected (null control)', () => {
  test.each(CONTROLS)('%s.%s', (resource, name, [schema, otherSchema], [check, otherCheck]) => {
    const parameter = parameters.find((each) => each.resource.name === resource && each.parameter.name === name);
    if (parameter === undefined) throw new Error(`no ${resource}.${name}`);
    for (const changed of [inDocument(), inTable(), inValidator()]) {
      const validations = openValidations(changed);
      expect(disagreement(parameter, validations.of(parameter), 3000, noCounts())).not.toBeNull();
      validations.close();
    }

    function inDocument(): Sources {
      const document = JSON.parse(documentText) as { components: { schemas: Record<string, { properties: object }> } };
      const text = JSON.stringify(document.components.schemas[`${resource}_create`]);
      document.components.schemas[`${resource}_create`] = JSON.parse(replaceOnce(text, schema, otherSchema));
      return { ...sources, document: document as unknown as OpenApi };
    }

    function inTable(): Sources {
      const table = sources.schemaSql.split(`CREATE TABLE "${resource}"`);
      const [before = '', after = ''] = table;
      return { ...sources, schemaSql: `${before}CREATE TABLE "${resource}"${replaceOnce(after, check, otherCheck)}` };
    }

    /** The validator has the limits of the document, so a validation with the changed document replaces it. */
    function inValidator(): Sources {
      const replacement = openValidations(inDocument()).of(parameter as NonNullable<typeof parameter>).document;
      const definitions = DEFINITIONS.map((definition) =>
        definition.name === resource
          ? {
              ...definition,
              validate: {
                ...definition.validate,
                create: (data: unknown) => replacement((data as Record<string, unknown>)[name]),
              },
            }
          : definition,
      );
      return { ...sources, definitions };
    }
  });
});

function replaceOnce(text: string, find: string, replace: string): string {
  if (!text.includes(find)) throw new Error(`there is no ${find}`);
  return text.replace(find, () => replace);
}
