// Validators as ajv standalone code. One ajv instance per file, so that a change in one does not renumber another.

import standaloneCode from 'ajv/dist/standalone';
import type { JsonSchema, Parameter, Resource } from '../model/model.js';
import { openAjv } from './judge.js';
import { takenByCreate } from './members.js';

/**
 * @param kit import path of the kit as seen from the generated file
 * @returns the body of generated/validators/<name>.ts: `create`, `update` and `<action>Action`
 */
export function validatorsCode(resource: Resource, kit: string, remember: Remember = forget): string {
  return standalone(
    [
      ['create', createSchema(judged(resource.parameters))],
      ['update', updateSchema(judged(resource.parameters))],
      ...resource.actions.map(({ name, parameters }): [string, JsonSchema] => [
        `${name}Action`,
        createSchema(judged(parameters)),
      ]),
    ],
    kit,
    remember,
  );
}

/** @returns the text cached under the key, or else what `make` returns, which is cached */
export type Remember = (key: string, make: () => string) => string;

/** Caches nothing. */
export const forget: Remember = (_key, make) => make();

/**
 * @param schemas by the name of the function that validates against it
 * @param kit import path of the kit as seen from the generated file
 * @param remember compiling is the larger part of gen's work, so its result is cached under the schemas
 */
export function standalone(
  schemas: readonly (readonly [string, JsonSchema])[],
  kit: string,
  remember: Remember = forget,
): string {
  return withImports(
    remember(JSON.stringify(schemas), () => compiled(schemas)),
    kit,
  );
}

function compiled(schemas: readonly (readonly [string, JsonSchema])[]): string {
  const ajv = openAjv({ code: { source: true, esm: true, lines: true } });
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  return withOneLineErrors(standaloneCode(ajv, Object.fromEntries(schemas.map(([name]) => [name, name]))));
}

/** ajv writes eight lines for each error; `addError` of the kit does the same in one. */
function withOneLineErrors(code: string): string {
  return code.replace(ERROR_BLOCK, 'vErrors = addError(vErrors, $2); errors++;\n');
}

const ERROR_BLOCK =
  /const (err\d+) = (\{.*\});\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;\n/g;

function judged(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.map((parameter) => ({ ...parameter, schema: parameter.judged }));
}

/** The parameters of a create request, as JSON Schema. */
export function createSchema(parameters: readonly Parameter[]): JsonSchema {
  return body(
    takenByCreate(parameters),
    ({ requiredOnCreate }) => requiredOnCreate,
    ({ schema }) => schema,
  );
}

/** The parameters of an update request: none is required unless the descriptor says so, and optional ones may be null. */
export function updateSchema(parameters: readonly Parameter[]): JsonSchema {
  return body(
    parameters,
    ({ requiredOnUpdate }) => requiredOnUpdate,
    ({ schema, requiredOnCreate }) => (requiredOnCreate ? schema : orNull(schema)),
  );
}

function body(
  parameters: readonly Parameter[],
  required: (parameter: Parameter) => boolean,
  schema: (parameter: Parameter) => JsonSchema,
): JsonSchema {
  const names = parameters.filter(required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, schema(parameter)])),
    ...(names.length === 0 ? {} : { required: names }),
  };
}

/** The same schema, null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = Array.isArray(type) ? (type as readonly unknown[]) : [type];
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}

/** What ajv's code imports, and the name under which the kit exports it. */
const REQUIRES: readonly (readonly [RegExp, string])[] = [
  [/require\("ajv\/dist\/runtime\/ucs2length"\)\.default/g, 'ucs2length'],
  [/require\("ajv\/dist\/runtime\/equal"\)\.default/g, 'equal'],
  [/require\("ajv-formats\/dist\/formats"\)\.fullFormats/g, 'formats'],
];

/** ajv writes `require` even into ES modules (ajv-validator/ajv#2209); each must be in this list, or it is a bug here. */
function withImports(code: string, kit: string): string {
  const used = REQUIRES.filter(([pattern]) => code.search(pattern) >= 0);
  const rewritten = used.reduce((text, [pattern, name]) => text.replace(pattern, name), code);
  if (rewritten.includes('require('))
    throw new Error(`ajv needs a module that the kit does not export: ${/require\([^)]*\)/.exec(rewritten)}`);
  const names = [...(rewritten.includes('addError(') ? ['addError'] : []), ...used.map(([, name]) => name).sort()];
  const body = rewritten.replace('"use strict";', '').replaceAll('export default', '// default:').trim();
  return `${names.length > 0 ? `import { ${names.join(', ')} } from '${kit}';\n\n` : ''}${body}\n`;
}
