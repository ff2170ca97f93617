// A generated validator has one function for each value; together they report what ajv reports for the whole input.

import { join } from 'node:path';
import fc from 'fast-check';
import { generated } from '../../generated/index.js';
import { compileSpec } from '../../generator/compile-spec.js';
import { exportedValidators, withoutCache } from '../../generator/emit/validators.js';
import { openAjv } from '../../generator/form/schema-validator.js';
import type { Parameter } from '../../generator/model/model.js';
import { readSpec } from '../../generator/write/read-spec.js';
import type { ValidationError, Validator } from '../../runtime/contract/definition.js';
import { ROOT } from '../support/paths.js';

interface Row {
  readonly operation: string;
  readonly parameters: readonly Parameter[];
  readonly required: readonly string[];
  readonly validator: Validator;
}

const compiled = compileSpec(readSpec(join(ROOT, 'spec')));
if (!compiled.ok) throw new Error('the project has mistakes');

const ROWS = compiled.model.resources.flatMap(({ name, parameters, actions }): readonly Row[] => {
  const definition = generated.definitions.find((definition) => definition.name === name);
  if (definition === undefined) throw new Error(`${name} is not generated`);
  const row = (operation: string, taken: readonly Parameter[], validator: Validator | undefined, update = false) => ({
    operation: `${operation} of ${name}`,
    parameters: taken,
    required: taken.filter((one) => (update ? one.requiredOnUpdate : one.requiredOnCreate)).map((one) => one.name),
    validator: validator as Validator,
  });
  return [
    row('create', parameters, definition.validate.create),
    row('update', parameters, definition.validate.update, true),
    ...actions.map((action) => row(action.name, action.parameters, definition.actions[action.name]?.validate)),
  ];
});

const VALUE = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  fc.string(),
  fc.string({ minLength: 250, maxLength: 300 }),
  fc.integer({ min: -3, max: 150 }),
  fc.boolean(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.record({ game_id: fc.jsonValue({ maxDepth: 0 }), price: fc.string() }), { maxLength: 3 }),
);

test.each(ROWS.map((row) => [row.operation, row] as const))('%s', (_, { parameters, required, validator }) => {
  const whole = openAjv().compile({
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, validationSchema }) => [name, validationSchema])),
    required,
  });
  const input = fc.record(Object.fromEntries(parameters.map(({ name }) => [name, VALUE])));
  fc.assert(
    fc.property(input, (sent) => {
      expect(validator(sent)).toBe(whole(sent));
      expect(comparable(validator.errors)).toEqual(comparable(whole.errors));
    }),
    { examples: [[{}]] },
  );
});

test('more errors than a call can have arguments are reported', () => {
  const receipt = ROWS.find(({ operation }) => operation === 'create of receipt');
  expect(receipt?.validator({ items: Array.from({ length: 300_000 }, () => 1) })).toBe(false);
  expect(receipt?.validator.errors?.length).toBeGreaterThan(300_000);
});

test('values that look like code are treated as values', () => {
  const schema = { enum: ['require("ajv/dist/runtime/equal").default', 'require(1)', 'inputValidator(', 'addError('] };
  const code = exportedValidators('spec', [['judge', schema]], { kit: '../kit.js', remember: withoutCache });
  expect(code.match(/^import .*/gm)).toEqual(["import { addError } from '../kit.js';"]);
  for (const value of schema.enum) expect(code).toContain(JSON.stringify(value));
});

function comparable(errors: readonly ValidationError[] | null | undefined) {
  return errors?.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params })) ?? null;
}
