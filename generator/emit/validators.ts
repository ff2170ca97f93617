// Validators: one for the value of each parameter, which the kit joins into the validator of an operation. The kit has those of
// the usual values; for any other there is ajv's standalone code.

import standaloneCode from 'ajv/dist/standalone';
import type { Action, JsonSchema, Parameter, Resource } from '../model/model.js';
import { openAjv } from './judge.js';
import { list } from './typescript.js';

/**
 * @param kit import path of the kit as seen from the generated file
 * @returns the body of generated/validators/<name>.ts: `create`, `update` and `<action>Action`
 */
export function validatorsCode(resource: Resource, kit: string, remember: Remember = forget): string {
  const { parameters, actions } = resource;
  const names = new Map<string, string>();
  const fields = members(parameters, 'field', names);
  const ofActions = actions.map((action) => actionCode(action, names));
  const values = [...names].map(([schema, name]) => `const ${name} = ${valueCode(schema, remember)};\n\n`);
  return withImports(
    `${values.join('')}const fields = ${fields};\n` +
      `export const create = inputValidator(fields, ${required(parameters, 'requiredOnCreate')});\n` +
      `export const update = inputValidator(fields, ${required(parameters, 'requiredOnUpdate')});\n${ofActions.join('')}`,
    kit,
  );
}

function actionCode({ name, parameters }: Action, names: Map<string, string>): string {
  const own = `${name}Action`;
  return `export const ${own} = inputValidator(${members(parameters, own, names)}, ${required(parameters, 'requiredOnCreate')});\n`;
}

/**
 * An object with the validator of each parameter. What an update clears is not validated, so create and update share one schema.
 * @param prefix distinguishes parameters of different operations
 * @param names of the validators by the text of their schemas; new ones are added
 */
function members(parameters: readonly Parameter[], prefix: string, names: Map<string, string>): string {
  const lines = parameters.map(({ name, judged }) => {
    const usual = usualValue(judged);
    if (usual !== null) return `  ${name}: ${usual},\n`;
    const schema = JSON.stringify(judged);
    const validator = names.get(schema) ?? `${prefix}_${name}`;
    names.set(schema, validator);
    return `  ${name}: ${validator},\n`;
  });
  return `{\n${lines.join('')}}`;
}

/** The validators of the kit, by the type and the other keywords of the schemas that they are for. */
const USUAL: Readonly<Record<string, (schema: JsonSchema) => string>> = {
  boolean: () => 'boolean',
  'integer minimum': ({ minimum }) => `integer(${minimum})`,
  'integer maximum minimum': ({ minimum, maximum }) => `integer(${minimum}, ${maximum})`,
  'string maxLength minLength': ({ minLength, maxLength }) => `text(${minLength}, ${maxLength})`,
  'string enum': (schema) => `choice(${list(schema.enum as readonly string[])})`,
};

/** An expression: the kit's validator of a value; null if it has none. */
function usualValue(schema: JsonSchema): string | null {
  const { type, ...rest } = schema;
  const key = [String(type), ...Object.keys(rest).sort()].join(' ');
  return Object.hasOwn(USUAL, key) ? (USUAL[key]?.(schema) ?? null) : null;
}

function required(parameters: readonly Parameter[], key: 'requiredOnCreate' | 'requiredOnUpdate'): string {
  return list(parameters.filter((parameter) => parameter[key]).map(({ name }) => name));
}

/** @returns the text cached under the key, or else what `make` returns, which is cached */
export type Remember = (key: string, make: () => string) => string;

/** Caches nothing. */
export const forget: Remember = (_key, make) => make();

/**
 * @param schemas by the name of the constant that is exported
 * @param kit import path of the kit as seen from the generated file
 */
export function exportedValidators(
  schemas: readonly (readonly [string, JsonSchema])[],
  kit: string,
  remember: Remember,
): string {
  const code = schemas.map(
    ([name, schema]) => `export const ${name} = ${valueCode(JSON.stringify(schema), remember)};\n`,
  );
  return withImports(code.join('\n'), kit);
}

/** An expression: the function that validates a value. Compiling it is slow, so the text is cached under that of the schema. */
function valueCode(schema: string, remember: Remember): string {
  return remember(schema, () => {
    const ajv = openAjv({ code: { source: true, lines: true } });
    const code = standaloneCode(ajv, ajv.compile(JSON.parse(schema)));
    return asExpression(withoutUnusedSchemas(withOneLineErrors(code)));
  });
}

/** ajv writes a module that uses the same names as every other one; a function keeps them apart. */
function asExpression(module: string): string {
  const [exported, name] = /module\.exports = (\w+);\nmodule\.exports\.default = \1;\n/.exec(module) ?? [];
  if (exported === undefined) throw new Error(`ajv exports something other than a function: ${module.slice(0, 80)}`);
  const body = module
    .replace('"use strict";\n', '')
    .replace(exported, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
  return `(() => {\n${body}\nreturn ${name};\n})()`;
}

/** ajv writes every schema, but only the lists in them are read. */
function withoutUnusedSchemas(code: string): string {
  return code.replace(/^const (schema\d+) = .*;\n/gm, (line, name: string) =>
    code.split(new RegExp(`\\b${name}\\b`)).length > 2 ? line : '',
  );
}

/** ajv writes eight lines for each error; `addError` of the kit does the same in one. */
function withOneLineErrors(code: string): string {
  return code.replace(ERROR_BLOCK, 'vErrors = addError(vErrors, $2); errors++;\n');
}

const ERROR_BLOCK =
  /const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;\n/g;

/** What ajv's code imports, and the name under which the kit exports it. */
const REQUIRES: readonly (readonly [RegExp, string])[] = [
  [/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'ucs2length'],
  [/require\("ajv\/dist\/runtime\/equal"\)\.default/g, 'equal'],
  [/require\("ajv-formats\/dist\/formats"\)\.fullFormats/g, 'formats'],
];

/** ajv writes `require`, which ES modules do not have; each must be in this list, or it is a bug here. */
function withImports(code: string, kit: string): string {
  const used = REQUIRES.filter(([pattern]) => code.search(pattern) >= 0);
  const rewritten = used.reduce((text, [pattern, name]) => text.replace(pattern, name), code);
  // At the start of a line, because a value of an enum may contain the same text.
  const [missing] = /(?<=^const \w+ = )require\([^)]*\)/m.exec(rewritten) ?? [];
  if (missing !== undefined) throw new Error(`ajv needs a module that the kit does not export: ${missing}`);
  const called = ['addError', 'inputValidator'].filter((name) =>
    new RegExp(`^(vErrors|export const \\w+) = ${name}\\(`, 'm').test(rewritten),
  );
  const usual = ['boolean', 'choice', 'integer', 'text'].filter((name) =>
    new RegExp(`^  \\w+: ${name}[(,]`, 'm').test(rewritten),
  );
  const names = [...called, ...usual, ...used.map(([, name]) => name)].sort();
  return `${names.length > 0 ? `import { ${names.join(', ')} } from '${kit}';\n\n` : ''}${rewritten}`;
}
