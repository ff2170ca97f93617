// JSON that fits a schema, at its limits too, and JSON that breaks it in one place, for the keywords that descriptors use.
import type { RefusedValue } from './values.js';

type Schema = Readonly<Record<string, unknown>>;
type Plain = Readonly<Record<string, unknown>>;

/** Texts that are tried where a schema has a pattern. */
const CANDIDATES = ['1', '0', 'a', 'A', 'aa', '1.5', '2026-01-01', 'https://example.com/', '999999999.999'];
/** A character that no candidate has, so that a text of it breaks patterns and enumerations, but no limit on lengths. */
const STRANGE = '\u2620';

/** JSON with everything that is required and nothing else. Throws if no candidate matches a pattern. */
export function sampleJson(schema: Schema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ('const' in schema) return schema.const;
  const type = typeOf(schema);
  if (type === 'array')
    return Array.from({ length: Math.max(1, number(schema.minItems) ?? 0) }, () => sampleJson(items(schema)));
  if (type === 'object') return objectOf(schema, required(schema));
  if (type === 'string') return textOf(schema);
  if (type === 'boolean') return true;
  return number(schema.minimum) ?? number(schema.maximum) ?? 1;
}

/** JSON that fits, each with one thing at a limit. */
export function fittingJson(schema: Schema): readonly unknown[] {
  const type = typeOf(schema);
  const base = sampleJson(schema);
  if (type === 'array') {
    const lengths = [number(schema.minItems) ?? 0, number(schema.maxItems)].filter((one) => one !== undefined);
    const sized = lengths.map((length) => Array.from({ length }, () => sampleJson(items(schema))));
    return [base, ...sized, ...fittingJson(items(schema)).map((item) => [item])];
  }
  if (type === 'object') {
    const named = Object.entries(properties(schema)).flatMap(([name, one]) =>
      fittingJson(one).map((value) => ({ ...(base as Plain), [name]: value })),
    );
    return [base, ...named, ...fittingMore(schema).map((value) => ({ ...(base as Plain), another: value }))];
  }
  if (type === 'string') return [base, ...atLengths(schema)];
  if (type !== 'integer' && type !== 'number') return [base];
  return [base, number(schema.minimum) ?? -5, number(schema.maximum) ?? 1_000_000];
}

/** JSON that breaks the schema in one place each. */
export function brokenJson(schema: Schema): readonly RefusedValue[] {
  const type = typeOf(schema);
  const base = sampleJson(schema);
  const wrong = schema.type === undefined ? [] : (WRONG[String(schema.type)] ?? []);
  return [...wrong.map(invalid), ...(BROKEN[type]?.(schema, base) ?? [])];
}

const invalid = (value: unknown): RefusedValue => ({ value, code: 'invalid' });

/** Values of another type. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  array: [{}],
  object: [[]],
  string: [5],
  integer: ['many', 1.5],
  number: ['many'],
  boolean: ['maybe'],
};

const BROKEN: Readonly<Record<string, (schema: Schema, base: unknown) => readonly RefusedValue[]>> = {
  array: (schema) => [
    ...outside(number(schema.minItems), number(schema.maxItems)).map((length) =>
      invalid(Array.from({ length }, () => sampleJson(items(schema)))),
    ),
    ...brokenJson(items(schema)).map(({ value, code }) => ({ value: [value], code })),
  ],
  object: (schema, base) => [
    ...required(schema).map((name): RefusedValue => ({ value: without(base as Plain, name), code: 'required' })),
    ...Object.entries(properties(schema)).flatMap(([name, one]) =>
      brokenJson(one).map(({ value, code }) => ({ value: { ...(base as Plain), [name]: value }, code })),
    ),
    ...(schema.additionalProperties === false ? [invalid({ ...(base as Plain), another: 1 })] : []),
    ...brokenMore(schema).map(({ value, code }) => ({ value: { ...(base as Plain), another: value }, code })),
  ],
  string: (schema) => [
    ...(schema.pattern === undefined && schema.enum === undefined ? [] : [invalid(strange(schema))]),
    ...outside(number(schema.minLength), number(schema.maxLength)).map((length) => invalid('1'.repeat(length))),
  ],
  integer: (schema) => beyond(schema).map(invalid),
  number: (schema) => beyond(schema).map(invalid),
};

/** Values of a property that the schema does not name. */
function fittingMore({ additionalProperties: more }: Schema): readonly unknown[] {
  if (more === false) return [];
  return more === undefined || more === true ? ['more'] : fittingJson(plain(more));
}

function brokenMore({ additionalProperties: more }: Schema): readonly RefusedValue[] {
  return typeof more === 'object' ? brokenJson(plain(more)) : [];
}

function atLengths(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.pattern !== undefined) return CANDIDATES.filter((text) => fits(schema, text));
  const lengths = [number(schema.minLength) ?? 0, number(schema.maxLength)].filter((one) => one !== undefined);
  return lengths.map((length) => 'x'.repeat(length));
}

function outside(min: number | undefined, max: number | undefined): readonly number[] {
  return [...(min === undefined || min === 0 ? [] : [min - 1]), ...(max === undefined ? [] : [max + 1])];
}

/** As long as the schema allows, so that nothing but the form of the text is wrong. */
function strange(schema: Schema): string {
  return STRANGE.repeat(Math.max(1, number(schema.minLength) ?? 0));
}

function beyond({ minimum, maximum }: Schema): readonly number[] {
  return [...(typeof minimum === 'number' ? [minimum - 1] : []), ...(typeof maximum === 'number' ? [maximum + 1] : [])];
}

function textOf(schema: Schema): string {
  const min = number(schema.minLength) ?? 0;
  if (schema.pattern === undefined) return 'a'.padEnd(Math.max(min, 1), 'x');
  const match = CANDIDATES.find((text) => fits(schema, text));
  if (match === undefined) throw new Error(`no text is known that fits ${schema.pattern}`);
  return match;
}

function fits(schema: Schema, text: string): boolean {
  const within = text.length >= (number(schema.minLength) ?? 0) && text.length <= (number(schema.maxLength) ?? 1000);
  return within && new RegExp(String(schema.pattern), 'u').test(text);
}

function objectOf(schema: Schema, names: readonly string[]): Plain {
  return Object.fromEntries(names.map((name) => [name, sampleJson(properties(schema)[name] ?? {})]));
}

function typeOf({ type }: Schema): string {
  return Array.isArray(type) ? String(type[0]) : type === undefined ? 'object' : String(type);
}

function without(object: Plain, name: string): Plain {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

function properties(schema: Schema): Readonly<Record<string, Schema>> {
  return plain(schema.properties) as Readonly<Record<string, Schema>>;
}

function items(schema: Schema): Schema {
  return plain(schema.items);
}

function required(schema: Schema): readonly string[] {
  return Array.isArray(schema.required) ? (schema.required as string[]) : [];
}

function plain(value: unknown): Plain {
  return typeof value === 'object' && value !== null ? (value as Plain) : {};
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
